from dataclasses import dataclass

import jax.numpy as jnp


@dataclass(frozen=True)
class ScheduleConfig:
    base_lr: float = 3e-3
    warmup_steps: int = 10
    total_steps: int = 80
    floor: float = 0.05


def make_schedule(cfg: ScheduleConfig):
    def schedule(step):
        warm = (step + 1) / cfg.warmup_steps
        progress = (step - cfg.warmup_steps) / (cfg.total_steps - cfg.warmup_steps)
        decay = cfg.floor + (1 - cfg.floor) * 0.5 * (1 + jnp.cos(jnp.pi * progress))
        return cfg.base_lr * jnp.where(step < cfg.warmup_steps, warm, decay)

    return schedule
