import optax


def make_optimizer(cfg):
    schedule = optax.warmup_cosine_decay_schedule(
        init_value=0.0,
        peak_value=cfg["lr"],
        warmup_steps=cfg["warmup_steps"],
        decay_steps=cfg["total_steps"],
        end_value=0.1 * cfg["lr"],
    )
    tx = optax.chain(
        optax.clip_by_global_norm(cfg["clip"]),
        optax.adamw(schedule, weight_decay=cfg["weight_decay"]),
    )
    return tx, schedule
