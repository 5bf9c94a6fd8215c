"""Loss weights that change while training."""
import jax.numpy as jnp


def anneal(step, warmup=20, floor=0.0):
    """Linear ramp from `floor` to one."""
    return floor + (1.0 - floor) * jnp.minimum(step / warmup, 1.0)
