from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.tree_util.register_dataclass, data_fields=["velocity"], meta_fields=["dx"])
@dataclass(frozen=True)
class Medium:
    velocity: jax.Array
    dx: float


def ricker(n: int, dt: float, f_peak: float):
    t = jnp.arange(n) * dt - 1.0 / f_peak
    arg = (jnp.pi * f_peak * t) ** 2
    return (1.0 - 2.0 * arg) * jnp.exp(-arg)


def sponge(nx: int, width: int = 30, strength: float = 0.02):
    i = jnp.arange(nx)
    edge = jnp.minimum(i, nx - 1 - i)
    return jnp.exp(-((strength * jnp.maximum(width - edge, 0)) ** 2))


@jax.jit
def simulate(medium: Medium, wavelet, dt, source, receivers):
    nx = medium.velocity.shape[0]
    courant2 = (medium.velocity * dt / medium.dx) ** 2
    damp = sponge(nx)

    def body(carry, amplitude):
        u_prev, u = carry
        lap = jnp.zeros_like(u).at[1:-1].set(u[2:] - 2.0 * u[1:-1] + u[:-2])
        u_next = 2.0 * u - u_prev + courant2 * lap
        u_next = u_next.at[source].add(amplitude * courant2[source])
        u_next = damp * u_next
        return (damp * u, u_next), u_next[receivers]

    init = (jnp.zeros(nx), jnp.zeros(nx))
    _, seismogram = jax.lax.scan(body, init, wavelet)
    return seismogram
