"""Classification metrics."""
import jax
import jax.numpy as jnp
import numpy as np

BIN_EDGES = np.linspace(0.0, 1.0, 11)[1:-1]


def accuracy(logits, labels):
    return jnp.mean(jnp.argmax(logits, axis=-1) == labels)


def expected_calibration_error(logits, labels):
    probs = jax.nn.softmax(logits)
    confidence = probs.max(axis=-1)
    hit = probs.argmax(axis=-1) == labels
    bins = jnp.digitize(confidence, BIN_EDGES)
    onehot = jax.nn.one_hot(bins, len(BIN_EDGES) + 1)
    gap = onehot.T @ (confidence - hit)
    return jnp.abs(gap).sum() / labels.shape[0]


def summarize(history):
    """Mean of each metric over a list of dicts, on the host."""
    return {k: float(np.mean([np.asarray(m[k]) for m in history])) for k in history[0]}
