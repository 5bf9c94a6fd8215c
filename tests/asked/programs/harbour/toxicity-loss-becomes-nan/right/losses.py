import jax
import jax.numpy as jnp
import optax


def binary_cross_entropy(logits, label):
    return jnp.mean(optax.sigmoid_binary_cross_entropy(logits, label))


def balanced_accuracy(logits, label):
    guess = jax.nn.sigmoid(logits) > 0.5
    positive = jnp.sum(guess * label) / jnp.maximum(jnp.sum(label), 1.0)
    negative = jnp.sum(~guess * (1.0 - label)) / jnp.maximum(jnp.sum(1.0 - label), 1.0)
    return 0.5 * (positive + negative)
