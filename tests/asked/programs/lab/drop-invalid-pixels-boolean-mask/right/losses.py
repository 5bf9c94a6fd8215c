import jax.numpy as jnp


def scale_invariant_loss(pred, target, lam=0.5):
    valid = target > 0.0
    diff = jnp.log(pred) - jnp.log(jnp.where(valid, target, 1.0))
    count = jnp.maximum(valid.sum(), 1)
    diff = jnp.where(valid, diff, 0.0)
    return (diff**2).sum() / count - lam * (diff.sum() / count) ** 2
