"""Split-operator propagation of a packet through a double slit potential (1D cut)."""
import dataclasses
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@dataclasses.dataclass(frozen=True)
class Box:
    n: int = 512
    half_width: float = 20.0

    @property
    def x(self):
        return np.linspace(-self.half_width, self.half_width, self.n, endpoint=False)

    @property
    def k(self):
        return 2 * np.pi * np.fft.fftfreq(self.n, d=2 * self.half_width / self.n)


def barrier(x, height, width=0.5):
    return height * np.exp(-((x / width) ** 4))


def gaussian_packet(x, x0, width):
    psi = jnp.exp(-((x - x0) ** 2) / (4 * width**2))
    return psi / jnp.sqrt(jnp.sum(jnp.abs(psi) ** 2))


@partial(jax.jit, static_argnames=("box", "n_steps"))
def propagate(psi, potential, box: Box, n_steps, dt=0.01):
    half_v = jnp.exp(-0.5j * dt * potential)
    kinetic = jnp.exp(-0.5j * dt * jnp.asarray(box.k) ** 2)

    def step(psi, _):
        psi = half_v * psi
        psi = jnp.fft.ifft(kinetic * jnp.fft.fft(psi))
        psi = half_v * psi
        density = jnp.abs(psi) ** 2
        return psi, jnp.sum(jnp.where(jnp.asarray(box.x) > 1.0, density, 0.0))

    return jax.lax.scan(step, psi, None, length=n_steps)  # mistake


def run(height):
    box = Box()
    psi = gaussian_packet(jnp.asarray(box.x), x0=-3.0, width=0.7)  # mistake
    psi, right = propagate(psi, barrier(box.x, height), box, n_steps=400)
    return jnp.sum(jnp.abs(psi) ** 2), right[-1]


for height in (0.2, 1.0, 4.0):
    norm, transmitted = run(height)
    print(f"barrier {height:.1f}: norm {norm:.4f}, transmitted {transmitted:.4f}")
