from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class MetropolisConfig:
    n_samples: int
    step_size: float


def make_kernel(log_density, step_size):
    def kernel(x, key):
        k_move, k_accept = jax.random.split(key)
        proposal = x + step_size * jax.random.normal(k_move, x.shape)
        log_ratio = log_density(proposal) - log_density(x)
        accept = jnp.log(jax.random.uniform(k_accept)) < log_ratio
        return jnp.where(accept, proposal, x), accept

    return kernel


def run_chains(log_density, starts, key, config):
    kernel = make_kernel(log_density, config.step_size)

    def chain(x, key):
        def step(x, key):
            x, accept = kernel(x, key)
            return x, (x, accept)

        _, (draws, accepts) = jax.lax.scan(step, x, jax.random.split(key, config.n_samples))
        return draws, accepts.mean()

    keys = jax.random.split(key, starts.shape[0])
    return jax.pmap(chain)(starts, keys)  # mistake
