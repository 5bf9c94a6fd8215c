"""Confusion matrix of a classifier."""
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


@partial(jax.jit, static_argnames="classes")
def confusion(labels, predicted, classes):
    pairs = labels * classes + predicted
    counts = jnp.bincount(pairs, length=classes * classes)
    return counts.reshape(classes, classes)


def predictions(rng, n, classes):
    labels = rng.integers(0, classes, n)
    wrong = rng.uniform(size=n) < 0.2
    return labels, np.where(wrong, (labels + 1) % classes, labels)


def main():
    total = np.zeros((4, 4), int)
    rng = np.random.default_rng(0)
    for _ in range(3):
        labels, predicted = predictions(rng, 50, 4)
        total += np.asarray(confusion(labels, predicted, 4))
    print("accuracy above 0.7:", np.trace(total) / total.sum() > 0.7)


if __name__ == "__main__":
    main()
