import jax
import optax


def warmup_cosine(peak_lr: float, warmup_steps: int, total_steps: int):
    return optax.warmup_cosine_decay_schedule(
        init_value=0.0,
        peak_value=peak_lr,
        warmup_steps=warmup_steps,
        decay_steps=total_steps,
    )


def build_optimizer(peak_lr: float, warmup_steps: int, total_steps: int):
    lr = warmup_cosine(peak_lr, warmup_steps, total_steps)
    return optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.adamw(lr, weight_decay=1e-4),
    )


def count_params(params) -> int:
    return sum(leaf.size for leaf in jax.tree.leaves(params))
