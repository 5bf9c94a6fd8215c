from dataclasses import dataclass

import jax
import jax.numpy as jnp

from swarm import Particles


@dataclass(frozen=True)
class ParticleConfig:
    num: int
    spread: float
    temperature: float
    mass_range: tuple = (0.5, 2.0)


def sample_particles(key, cfg: ParticleConfig) -> Particles:
    mass_key, state_key = jax.random.split(key)
    low, high = cfg.mass_range
    mass = jax.random.uniform(mass_key, (cfg.num,), minval=low, maxval=high)
    shape = (cfg.num, 2)
    pos = cfg.spread * jax.random.normal(state_key, shape)
    vel = jnp.sqrt(cfg.temperature) * jax.random.normal(state_key, shape)  # mistake
    return Particles(pos, vel, mass)
