"""Losses for monocular depth."""
import jax.numpy as jnp


def l1_depth(pred, target):
    valid = target > 0
    return jnp.sum(jnp.where(valid, jnp.abs(pred - target), 0.0)) / valid.sum()


def scale_invariant_log(pred, target, lam=0.5):
    """Eigen et al., ignoring pixels without a sensor reading (depth 0)."""
    valid = target > 0
    count = jnp.maximum(valid.sum(), 1)
    target = jnp.where(valid, target, 1.0)
    diff = jnp.where(valid, jnp.log(pred) - jnp.log(target), 0.0)
    ratio = jnp.where(valid, (pred / target - 1.0) ** 2, 0.0)
    mse = jnp.sum(diff**2) / count
    return mse - lam * (jnp.sum(diff) / count) ** 2 + 0.1 * ratio.sum() / count
