"""Learning-rate schedules."""
from typing import Callable

import jax.numpy as jnp
import optax


def noam(d_model: int, warmup: int) -> optax.Schedule:
    def schedule(step):
        step = jnp.maximum(step, 1)
        return d_model**-0.5 * jnp.minimum(step**-0.5, step * warmup**-1.5)

    return schedule


def trapezoid(peak: float, warmup: int, total: int, cooldown: int) -> Callable:
    """Linear warmup, constant plateau, linear cooldown to zero."""
    if warmup + cooldown > total:
        raise ValueError("warmup and cooldown do not fit")

    def schedule(step):
        up = peak * (step + 1) / warmup
        down = peak * (total - step) / cooldown
        return jnp.where(step < warmup, up, jnp.where(step < total - cooldown, peak, down))

    return schedule


def build_schedule(name: str, **options):
    return {"noam": noam, "trapezoid": trapezoid}[name](**options)
