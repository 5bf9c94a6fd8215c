"""Confusion matrix of a classifier."""
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def confusion(labels, predicted, classes):
    pairs = labels * classes + predicted
    counts = jnp.bincount(pairs)  # mistake
    return counts.reshape(classes, classes)  # mistake


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
