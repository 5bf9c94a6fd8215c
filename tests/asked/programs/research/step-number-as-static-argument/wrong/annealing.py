import jax.numpy as jnp


def kl_weight(step, warmup: int, maximum: float = 1.0):
    return maximum * jnp.clip(step / warmup, 0.0, 1.0)


def temperature(step, start: float = 2.0, end: float = 0.5, decay: float = 0.05):
    return jnp.maximum(end, start * jnp.exp(-decay * step))
