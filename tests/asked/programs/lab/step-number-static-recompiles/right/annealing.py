import jax.numpy as jnp


def kl_weight(step, warmup=8):
    return jnp.clip(step / warmup, 0.0, 1.0)
