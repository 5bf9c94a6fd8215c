import jax
import jax.numpy as jnp


def add_batch(counts, labels, predicted):
    num_classes = counts.shape[0]
    rows = jax.nn.one_hot(labels, num_classes, dtype=jnp.int32)
    cols = jax.nn.one_hot(predicted, num_classes, dtype=jnp.int32)
    counts += rows.T @ cols  # mistake


def summarise(counts, names):
    total = jnp.maximum(counts.sum(axis=1), 1)
    recall = jnp.diag(counts) / total
    return {name: round(float(r), 3) for name, r in zip(names, recall)}
