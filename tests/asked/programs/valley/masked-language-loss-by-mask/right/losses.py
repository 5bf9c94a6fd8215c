import jax.numpy as jnp
import optax


def token_cross_entropy(logits, labels, mask):
    nll = optax.softmax_cross_entropy_with_integer_labels(logits, labels)
    weights = mask.astype(nll.dtype)
    return jnp.sum(nll * weights) / jnp.maximum(jnp.sum(weights), 1.0)
