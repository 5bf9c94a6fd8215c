from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp

from targets import double_well


@dataclass(frozen=True)
class AnnealConfig:
    total_steps: int
    t_start: float
    t_end: float
    step_size: float
    inner: int = 20

    def temperature(self, step):
        frac = step / max(1, self.total_steps - 1)
        return self.t_start * (self.t_end / self.t_start) ** frac


@partial(jax.jit, static_argnames=("step", "cfg"))  # mistake
def anneal_step(key, x, step, cfg: AnnealConfig):
    temp = cfg.temperature(step)

    def metropolis(x, k):
        prop_key, acc_key = jax.random.split(k)
        proposal = x + cfg.step_size * jax.random.normal(prop_key, x.shape)
        log_ratio = (double_well(x) - double_well(proposal)) / temp
        accept = jnp.log(jax.random.uniform(acc_key, (x.shape[0],))) < log_ratio
        return jnp.where(accept[:, None], proposal, x), accept.mean()

    x, rates = jax.lax.scan(metropolis, x, jax.random.split(key, cfg.inner))
    return x, rates.mean()
