"""Random-walk Metropolis on a skewed one-dimensional posterior."""
from typing import Callable, NamedTuple

import jax
import jax.numpy as jnp


class RWState(NamedTuple):
    position: jax.Array
    log_prob: jax.Array


class RandomWalk:
    def __init__(self, log_prob: Callable, scale: float):
        self.log_prob = log_prob
        self.scale = scale

    def init(self, position):
        return RWState(position, self.log_prob(position))

    def step(self, state: RWState, key):
        move_key, accept_key = jax.random.split(key)
        proposal = state.position + self.scale * jax.random.uniform(move_key, minval=-1.0, maxval=1.0)
        log_prob = self.log_prob(proposal)
        log_u = jnp.log(jax.random.uniform(accept_key))
        accept = log_u < log_prob - state.log_prob
        new = jax.tree.map(lambda a, b: jnp.where(accept, a, b), RWState(proposal, log_prob), state)
        return new, (new.position, accept)


def log_gamma_posterior(z, shape=3.0, rate=2.0):
    """Gamma density of exp(z), with the Jacobian."""
    return shape * z - rate * jnp.exp(z)


def effective_size(x):
    x = x - x.mean()
    acov = jnp.correlate(x, x, mode="full")[x.size - 1:] / x.size
    rho = acov / acov[0]
    return x.size / (1 + 2 * jnp.sum(jnp.where(jnp.cumsum(rho < 0.05) == 0, rho, 0.0)[1:]))


def main():
    kernel = RandomWalk(log_gamma_posterior, scale=2.0)
    starts = jax.vmap(kernel.init)(jnp.linspace(-1.0, 1.0, 4))

    @jax.jit
    def run(key, state):
        return jax.lax.scan(kernel.step, state, jax.random.split(key, 4000))[1]

    draws, accepted = jax.vmap(run)(jax.random.split(jax.random.key(2024), 4), starts)
    theta = jnp.exp(draws[:, 500:])
    print(f"acceptance {accepted.mean():.2f}, ess {effective_size(draws[0, 500:]):.0f}")
    print(f"mean {theta.mean():.3f} (exact 1.500), sd {theta.std():.3f} (exact 0.866)")


if __name__ == "__main__":
    main()
