from dataclasses import dataclass

import optax


@dataclass
class OptimConfig:
    peak_lr: float
    total_steps: int
    weight_decay: float = 1e-3
    clip: float = 1.0


def build_optimizer(cfg: OptimConfig) -> optax.GradientTransformation:
    schedule = optax.warmup_cosine_decay_schedule(
        0.0, cfg.peak_lr, warmup_steps=10, decay_steps=cfg.total_steps
    )
    return optax.chain(
        optax.clip_by_global_norm(cfg.clip),
        optax.adamw(schedule, weight_decay=cfg.weight_decay),
    )
