"""Learning rates."""
import jax.numpy as jnp


def cosine_like(step, total, peak=0.1):
    return jnp.asarray(peak * (1.0 - step / total) ** 2)
