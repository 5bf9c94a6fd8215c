from dataclasses import dataclass

import jax
import jax.numpy as jnp

from stencils import laplacian


@dataclass(frozen=True)
class HeatConfig:
    alpha: float
    hot: float
    cold: float
    steps: int


def apply_walls(u, cfg: HeatConfig):
    u[0, :] = cfg.hot  # mistake
    bottom = jnp.full((u.shape[1],), cfg.cold)
    return jnp.concatenate([u[:-1], bottom[None]], axis=0)


def simulate(u0, cfg: HeatConfig):
    def body(u, _):
        u = u + cfg.alpha * laplacian(u)
        u = apply_walls(u, cfg)
        return u, jnp.mean(u**2)

    return jax.lax.scan(body, apply_walls(u0, cfg), None, length=cfg.steps)
