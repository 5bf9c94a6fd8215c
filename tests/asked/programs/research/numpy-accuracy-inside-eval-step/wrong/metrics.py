import jax
import jax.numpy as jnp
import numpy as np


def top_k_accuracy(logits, labels, k=3):
    _, top = jax.lax.top_k(logits, k)
    return jnp.mean(jnp.any(top == labels[:, None], axis=-1))


def accuracy(logits, labels):
    predictions = np.asarray(logits).argmax(axis=-1)  # mistake
    return jnp.mean(predictions == labels)


def summarise(per_batch, sizes):
    weights = np.asarray(sizes) / np.sum(sizes)
    return {k: float(np.sum(weights * np.array([m[k] for m in per_batch]))) for k in per_batch[0]}
