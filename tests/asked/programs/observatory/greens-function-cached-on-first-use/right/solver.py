import jax.numpy as jnp
import numpy as np


class PoissonSolver:
    def __init__(self, n: int, length: float):
        self.n = n
        self.length = length
        k = 2 * np.pi * np.fft.fftfreq(n, d=length / n)
        k2 = k[:, None] ** 2 + k[None, :] ** 2
        self.greens = np.where(k2 > 0, -1.0 / np.where(k2 > 0, k2, 1.0), 0.0).astype(np.float32)

    def potential(self, density):
        rho_k = jnp.fft.fft2(density - density.mean())
        return jnp.real(jnp.fft.ifft2(self.greens * rho_k))

    def acceleration(self, density):
        phi = self.potential(density)
        h = self.length / self.n
        return tuple(-(jnp.roll(phi, -1, ax) - jnp.roll(phi, 1, ax)) / (2 * h) for ax in (0, 1))
