import jax.numpy as jnp
import optax


def token_cross_entropy(logits, labels, mask):
    nll = optax.softmax_cross_entropy_with_integer_labels(logits, labels)
    return jnp.mean(nll[mask])  # mistake
