from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp

N_STEPS = 64


@dataclass(frozen=True)
class HestonModel:
    spot: float
    rate: float
    kappa: float
    theta: float
    xi: float
    rho: float
    v0: float

    def _step(self, carry, dw, dt):
        log_s, v = carry
        v_pos = jnp.maximum(v, 0.0)
        vol = jnp.sqrt(v_pos * dt)
        z_v = self.rho * dw[0] + jnp.sqrt(1.0 - self.rho**2) * dw[1]
        log_s = log_s + (self.rate - 0.5 * v_pos) * dt + vol * dw[0]
        v = v + self.kappa * (self.theta - v_pos) * dt + self.xi * vol * z_v
        return (log_s, v), jnp.exp(log_s)

    @partial(jax.jit, static_argnums=(3,))  # mistake
    def simulate(self, key, maturity, n_paths: int):
        dt = maturity / N_STEPS
        noise = jax.random.normal(key, (N_STEPS, 2, n_paths))
        init = (jnp.full(n_paths, jnp.log(self.spot)), jnp.full(n_paths, self.v0))
        _, paths = jax.lax.scan(lambda c, dw: self._step(c, dw, dt), init, noise)
        return paths
