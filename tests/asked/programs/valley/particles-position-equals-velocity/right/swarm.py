from typing import NamedTuple

import jax
import jax.numpy as jnp


class Particles(NamedTuple):
    pos: jax.Array
    vel: jax.Array
    mass: jax.Array


def force(p: Particles):
    centre = jnp.average(p.pos, axis=0, weights=p.mass)
    return -0.8 * p.mass[:, None] * (p.pos - centre)


def kinetic_energy(p: Particles):
    return 0.5 * jnp.sum(p.mass[:, None] * p.vel**2) / p.mass.shape[0]


def simulate(p: Particles, dt, steps: int):
    def body(p, _):
        vel = p.vel + dt * force(p) / p.mass[:, None]
        p = p._replace(pos=p.pos + dt * vel, vel=vel)
        return p, jnp.mean(jnp.linalg.norm(p.pos, axis=-1))

    return jax.lax.scan(body, p, None, length=steps)
