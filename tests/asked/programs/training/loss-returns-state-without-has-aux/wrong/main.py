"""Wine quality classifier with batch norm, Haiku with state."""
from typing import NamedTuple

import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax


class TrainingState(NamedTuple):
    params: hk.Params
    net_state: hk.State
    opt_state: optax.OptState


def _forward(x, is_training):
    x = hk.Linear(16)(x)
    x = hk.BatchNorm(create_scale=True, create_offset=True, decay_rate=0.9)(x, is_training)
    return hk.Linear(3)(jax.nn.relu(x))


network = hk.without_apply_rng(hk.transform_with_state(_forward))


class Experiment:
    def __init__(self, learning_rate: float, label_smoothing: float = 0.05):
        self.optimizer = optax.adam(learning_rate)
        self.label_smoothing = label_smoothing
        self.update = jax.jit(self._update)
        self.evaluate = jax.jit(self._evaluate)

    def init(self, key, x) -> TrainingState:
        params, net_state = network.init(key, x, True)
        return TrainingState(params, net_state, self.optimizer.init(params))

    def loss(self, params, net_state, x, y):
        logits, net_state = network.apply(params, net_state, x, True)
        targets = optax.smooth_labels(jax.nn.one_hot(y, 3), self.label_smoothing)
        loss = optax.softmax_cross_entropy(logits, targets).mean()
        accuracy = jnp.mean(logits.argmax(-1) == y)
        return loss, (net_state, {"loss": loss, "accuracy": accuracy})

    def _update(self, state: TrainingState, x, y):
        grad_fn = jax.value_and_grad(self.loss)  # mistake
        (_, (net_state, metrics)), grads = grad_fn(state.params, state.net_state, x, y)  # mistake
        updates, opt_state = self.optimizer.update(grads, state.opt_state)
        params = optax.apply_updates(state.params, updates)
        return TrainingState(params, net_state, opt_state), metrics

    def _evaluate(self, state: TrainingState, x, y):
        logits, _ = network.apply(state.params, state.net_state, x, False)
        return jnp.mean(logits.argmax(-1) == y)


def sample(rng, n):
    y = rng.integers(0, 3, n)
    return (rng.normal(size=(n, 7)) + 0.8 * y[:, None]).astype(np.float32), y


def main():
    rng = np.random.default_rng(0)
    x, y = sample(rng, 32)
    experiment = Experiment(5e-3)
    state = experiment.init(jax.random.PRNGKey(1), x)
    for _ in range(25):
        state, metrics = experiment.update(state, *sample(rng, 32))
    print({name: round(float(v), 3) for name, v in metrics.items()})
    print(f"held-out accuracy {float(experiment.evaluate(state, *sample(rng, 128))):.3f}")


if __name__ == "__main__":
    main()
