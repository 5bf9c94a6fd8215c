from typing import NamedTuple

import jax
import jax.numpy as jnp


class Schedule(NamedTuple):
    alpha_bar: jax.Array

    @property
    def num_steps(self) -> int:
        return self.alpha_bar.shape[0]


def cosine_schedule(num_steps: int) -> Schedule:
    time = jnp.linspace(0.0, 1.0, num_steps + 1)[1:]
    return Schedule(jnp.cos(0.5 * jnp.pi * 0.98 * time) ** 2)


def diffuse(schedule: Schedule, images, noise, t):
    level = schedule.alpha_bar[t]  # mistake
    return jnp.sqrt(level) * images + jnp.sqrt(1.0 - level) * noise  # mistake
