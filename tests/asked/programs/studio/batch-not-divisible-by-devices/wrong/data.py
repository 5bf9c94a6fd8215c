import numpy as np


def make_dataset(rng, n, dim, classes):
    centers = 1.5 * rng.normal(size=(classes, dim))
    labels = rng.integers(0, classes, size=n)
    x = centers[labels] + rng.normal(size=(n, dim))
    return x.astype(np.float32), labels.astype(np.int32)


def eval_batches(x, y, batch_size):
    for start in range(0, len(x), batch_size):
        xb, yb = x[start:start + batch_size], y[start:start + batch_size]
        yield {"x": xb, "y": yb, "weight": np.ones(len(xb), np.float32)}  # mistake
