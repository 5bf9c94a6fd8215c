"""House price regression in Haiku, with a small metric tracker."""
from collections import defaultdict
from typing import NamedTuple

import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax


class Tracker:
    """Collects scalars under a name."""

    def __init__(self):
        self.history = defaultdict(list)

    def record(self, **scalars):
        for name, value in scalars.items():
            self.history[name].append(value)  # mistake

    def count(self, name):
        return len(self.history[name])


class Learner(NamedTuple):
    params: hk.Params
    opt_state: optax.OptState


tracker = Tracker()


@hk.without_apply_rng
@hk.transform
def net(x):
    mlp = hk.nets.MLP([16, 16, 1], activation=jax.nn.silu)
    return mlp(x)[..., 0]


optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(3e-3))


def huber(params, x, y):
    return optax.huber_loss(net.apply(params, x), y, delta=1.0).mean()


@jax.jit
def update(learner: Learner, x, y):
    loss, grads = jax.value_and_grad(huber)(learner.params, x, y)
    updates, opt_state = optimizer.update(grads, learner.opt_state)
    params = optax.apply_updates(learner.params, updates)
    tracker.record(loss=loss, grad_norm=optax.global_norm(grads))  # mistake
    return Learner(params, opt_state)


def batches(seed, steps, size=32):
    rng = np.random.default_rng(seed)
    for _ in range(steps):
        x = rng.normal(size=(size, 5)).astype(np.float32)
        yield x, (x[:, 0] * 2 + np.abs(x[:, 1])).astype(np.float32)


def main():
    params = net.init(jax.random.PRNGKey(0), jnp.zeros((1, 5)))
    learner = Learner(params, optimizer.init(params))
    for x, y in batches(seed=4, steps=25):
        learner = update(learner, x, y)
    for name in ("loss", "grad_norm"):
        print(f"{name}: {tracker.count(name)} values recorded")


if __name__ == "__main__":
    main()
