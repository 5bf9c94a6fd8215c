from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class SIRConfig:
    population: int
    infected: int
    days: int


def noisy_flow(key, mean):
    return jnp.maximum(mean + jnp.sqrt(mean + 1e-6) * jax.random.normal(key), 0.0)


def simulate(key, draw, config):
    def day(carry, key):
        s, i = carry
        k_infect, k_recover = jax.random.split(key)
        new = jnp.minimum(noisy_flow(k_infect, draw["beta"] * s * i / config.population), s)
        recovered = jnp.minimum(noisy_flow(k_recover, draw["gamma"] * i), i)
        return (s - new, i + new - recovered), new

    start = (jnp.float32(config.population - config.infected), jnp.float32(config.infected))
    _, cases = jax.lax.scan(day, start, jax.random.split(key, config.days))  # mistake
    return cases
