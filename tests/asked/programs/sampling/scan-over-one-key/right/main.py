"""Sample a ring-shaped density with the Langevin algorithm."""
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Chain(NamedTuple):
    position: jax.Array
    log_density: jax.Array
    accepted: jax.Array


def log_density(position):
    return -8.0 * (jnp.linalg.norm(position) - 2.0) ** 2


def start(position):
    return Chain(position, log_density(position), jnp.array(0))


def kernel(chain, key, size=0.1):
    key_noise, key_accept = jax.random.split(key)
    drift = jax.grad(log_density)
    mean = chain.position + size * drift(chain.position)
    proposal = mean + jnp.sqrt(2.0 * size) * jax.random.normal(key_noise, mean.shape)
    back = proposal + size * drift(proposal)
    there = jnp.sum((proposal - mean) ** 2) - jnp.sum((chain.position - back) ** 2)
    density = log_density(proposal)
    accept = jnp.log(jax.random.uniform(key_accept)) < density - chain.log_density + there / (4.0 * size)
    moved = Chain(proposal, density, chain.accepted + 1)
    chain = jax.tree.map(lambda new, old: jnp.where(accept, new, old), moved, chain)
    return chain, chain.position


def sample(key, steps):
    keys = jax.random.split(key, steps)
    chain, positions = jax.lax.scan(kernel, start(jnp.array([2.0, 0.0])), keys)
    return chain, positions


if __name__ == "__main__":
    chain, positions = sample(jax.random.key(0), 50)
    print("positions", positions.shape)
    print("moves", bool(chain.accepted > 0))
