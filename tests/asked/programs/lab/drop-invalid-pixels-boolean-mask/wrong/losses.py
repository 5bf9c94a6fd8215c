import jax.numpy as jnp


def scale_invariant_loss(pred, target, lam=0.5):
    valid = target > 0.0
    diff = jnp.log(pred) - jnp.log(jnp.where(valid, target, 1.0))
    diff = diff[valid]  # mistake
    return jnp.mean(diff**2) - lam * jnp.mean(diff) ** 2
