"""Loss and accuracy of a classifier."""
import jax.numpy as jnp
import optax


def cross_entropy(logits, labels):
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


def accuracy(logits, labels):
    return jnp.mean(logits.argmax(axis=-1) == labels)
