import jax
import jax.numpy as jnp

from lbm import collide, momentum, stream


class Simulation:
    def __init__(self, tau: float, log_every: int):
        self.tau = tau
        self.log_every = log_every
        self.log: list[float] = []
        self._step = jax.jit(self._advance, donate_argnums=(0,))

    def _advance(self, f):
        return stream(collide(f, self.tau))

    def run(self, f, n_steps: int):
        for i in range(n_steps):
            f = self._step(f)
            if i % self.log_every == 0:
                self.log.append(float(jnp.sum(momentum(f) ** 2)))
        return f
