import jax.numpy as jnp


def padding_mask(tokens, lengths):
    positions = jnp.arange(tokens.shape[1])
    return positions[None, :] < lengths[:, None]


def masked_mean(values, mask):
    weights = mask.astype(values.dtype)
    return (values * weights).sum() / jnp.maximum(weights.sum(), 1.0)
