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
    mass_key, pos_key, vel_key = jax.random.split(key, 3)
    low, high = cfg.mass_range
    mass = jax.random.uniform(mass_key, (cfg.num,), minval=low, maxval=high)
    shape = (cfg.num, 2)
    pos = cfg.spread * jax.random.normal(pos_key, shape)
    vel = jnp.sqrt(cfg.temperature) * jax.random.normal(vel_key, shape)
    return Particles(pos, vel, mass)
