from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class Heston:
    mu: float = 0.02
    kappa: float = 1.5
    theta: float = 0.04
    xi: float = 0.3
    rho: float = -0.6

    def step(self, state, normals, dt):
        log_s, v = state
        z1, z2 = normals
        v_pos = jnp.maximum(v, 0.0)
        dw_v = self.rho * z1 + jnp.sqrt(1 - self.rho**2) * z2
        log_s = log_s + (self.mu - 0.5 * v_pos) * dt + jnp.sqrt(v_pos * dt) * z1
        v = v + self.kappa * (self.theta - v_pos) * dt + self.xi * jnp.sqrt(v_pos * dt) * dw_v
        return log_s, v


def simulate(model, key, n_paths, n_steps, dt):
    log_s = jnp.zeros(n_paths)
    v = jnp.full(n_paths, model.theta)

    def body(state, _):
        s_key, v_key = jax.random.split(key)  # mistake
        normals = (jax.random.normal(s_key, (n_paths,)), jax.random.normal(v_key, (n_paths,)))
        state = model.step(state, normals, dt)
        return state, state[0]

    _, path = jax.lax.scan(body, (log_s, v), None, length=n_steps)
    return path
