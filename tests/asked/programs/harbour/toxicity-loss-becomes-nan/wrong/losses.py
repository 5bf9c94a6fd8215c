import jax
import jax.numpy as jnp


def binary_cross_entropy(logits, label):
    p = jax.nn.sigmoid(logits)
    return -jnp.mean(label * jnp.log(p) + (1.0 - label) * jnp.log(1.0 - p))  # mistake


def balanced_accuracy(logits, label):
    guess = jax.nn.sigmoid(logits) > 0.5
    positive = jnp.sum(guess * label) / jnp.maximum(jnp.sum(label), 1.0)
    negative = jnp.sum(~guess * (1.0 - label)) / jnp.maximum(jnp.sum(1.0 - label), 1.0)
    return 0.5 * (positive + negative)
