"""Swing a double pendulum."""
from functools import partial

import jax
import jax.numpy as jnp

from mechanics import acceleration


def lagrangian(q, q_t):
    first, second = q
    kinetic = 0.5 * (2.0 * q_t[0] ** 2 + q_t[1] ** 2)
    kinetic = kinetic + q_t[0] * q_t[1] * jnp.cos(first - second)
    potential = -2.0 * jnp.cos(first) - jnp.cos(second)
    return kinetic - potential


@partial(jax.jit, static_argnames="steps")
def swing(q, q_t, steps, dt=0.01):
    def step(state, _):
        q, q_t = state
        q_t = q_t + dt * acceleration(lagrangian, q, q_t)
        return (q + dt * q_t, q_t), None

    return jax.lax.scan(step, (q, q_t), length=steps)[0]


if __name__ == "__main__":
    q, q_t = swing(jnp.array([0.5, -0.3]), jnp.zeros(2), 50)
    print("angles", q.shape, bool(jnp.all(jnp.abs(q) < 3.0)))
