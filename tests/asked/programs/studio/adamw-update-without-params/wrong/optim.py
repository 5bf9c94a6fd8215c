import jax
import optax


def decay_mask(params):
    return jax.tree.map(lambda p: p.ndim > 1, params)


def make_optimizer(name, lr, steps, weight_decay=0.01):
    schedule = optax.warmup_cosine_decay_schedule(0.0, lr, steps // 10, steps)
    if name == "adam":
        return optax.adam(schedule)
    if name == "adamw":
        return optax.adamw(schedule, weight_decay=weight_decay, mask=decay_mask)
    raise KeyError(name)
