"""Random walk Metropolis on a two-bump density."""
from typing import Callable, NamedTuple

import jax
import jax.numpy as jnp


class WalkerState(NamedTuple):
    x: jax.Array
    logp: jax.Array


def two_bumps(x):
    centers = jnp.array([-1.5, 1.5])
    return jax.nn.logsumexp(-0.5 * ((x[0] - centers) / 0.6) ** 2) - 0.5 * x[1] ** 2


class RandomWalk:
    def __init__(self, logdensity: Callable, scale: float):
        self.logdensity = logdensity
        self.scale = scale

    def init(self, x):
        return WalkerState(x, self.logdensity(x))

    def propose(self, key, state):
        x = state.x + self.scale * jax.random.normal(key, state.x.shape)
        return WalkerState(x, self.logdensity(x))

    def step(self, key, state):
        key_prop, key_accept = jax.random.split(key)  # mistake
        candidate = self.propose(key_prop, state)
        log_u = jnp.log(jax.random.uniform(key_accept))
        accept = log_u < candidate.logp - state.logp
        return jax.tree.map(lambda a, b: jnp.where(accept, a, b), candidate, state), accept


def sample(kernel: RandomWalk, key: jax.Array, x0: jax.Array, num_steps: int):
    def body(state, _):
        state, accepted = kernel.step(key, state)  # mistake
        return state, (state.x, accepted)

    _, (trace, accepted) = jax.lax.scan(body, kernel.init(x0), None, length=num_steps)
    return trace, accepted


def main():
    kernel = RandomWalk(two_bumps, scale=1.2)
    key_init, key_run = jax.random.split(jax.random.key(8))
    x0 = 0.1 * jax.random.normal(key_init, (2,))
    trace, accepted = sample(kernel, key_run, x0, 400)
    moves = jnp.round(jnp.diff(trace[:, 0])[accepted[1:]], 4)
    print(f"acceptance {accepted.mean():.3f}")
    print(f"mean {trace[:, 0].mean():.3f} std {trace[:, 0].std():.3f}")
    print("different jumps", jnp.unique(moves).size)


if __name__ == "__main__":
    main()
