from dataclasses import dataclass

import jax
import jax.numpy as jnp

from quantise import quantise


@dataclass(frozen=True)
class TankConfig:
    levels: int
    setpoint: float
    dt: float
    n_steps: int


def valve(gains, error, integral, levels):
    proportional, integrating, offset = gains
    smooth = jax.nn.sigmoid(proportional * error + integrating * integral + offset)
    return quantise(smooth, levels)


def episode_cost(gains, starts, config):
    def step(carry, _):
        height, integral = carry
        error = config.setpoint - height
        integral = integral + config.dt * error
        inflow = 2.0 * valve(gains, error, integral, config.levels)
        height = height + config.dt * (inflow - 0.8 * jnp.sqrt(jnp.maximum(height, 1e-3)))
        return (height, integral), jnp.mean(error**2)

    start = (starts, jnp.zeros_like(starts))
    _, costs = jax.lax.scan(step, start, None, length=config.n_steps)
    return costs.mean()
