import jax
import optax


def decay_mask(params):
    return jax.tree.map(lambda p: p.ndim > 1, params)


def make_optimizer(peak_lr: float, total_steps: int, weight_decay: float = 0.05):
    schedule = optax.warmup_cosine_decay_schedule(0.0, peak_lr, total_steps // 10, total_steps)
    tx = optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.adamw(schedule, weight_decay=weight_decay, mask=decay_mask),
    )
    return tx, schedule
