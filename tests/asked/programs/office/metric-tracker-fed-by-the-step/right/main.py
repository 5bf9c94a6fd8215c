import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training.train_state import TrainState

from tracking import MetricTracker


class ChurnModel(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(32)(x))
        x = nn.relu(nn.Dense(16)(x))
        return nn.Dense(1)(x).squeeze(-1)


def subscribers(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 9)).astype(np.float32)
    p = 1 / (1 + np.exp(-(1.5 * x[:, 0] - x[:, 1] * x[:, 2])))
    return x, (rng.uniform(size=n) < p).astype(np.float32)


tracker = MetricTracker()


@jax.jit
def train_step(state, x, churned):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, x)
        return optax.sigmoid_binary_cross_entropy(logits, churned).mean(), logits

    (loss, logits), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    accuracy = jnp.mean((logits > 0) == (churned > 0.5))
    return state.apply_gradients(grads=grads), {"loss": loss, "accuracy": accuracy}


def main():
    model = ChurnModel()
    x, churned = subscribers(1024, seed=0)
    params = model.init(jax.random.key(0), x[:1])["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(5e-3))
    order = np.random.default_rng(1)
    for epoch in range(4):
        for idx in order.permutation(1024).reshape(-1, 64):
            state, metrics = train_step(state, x[idx], churned[idx])
            tracker.update(**metrics)
        print(epoch, {k: round(v, 3) for k, v in tracker.summary().items()})


if __name__ == "__main__":
    main()
