import time

import jax
import numpy as np

from logistic import fit


def campaign_data(n=600, p=8, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p)).astype(np.float32)
    response = (x @ rng.normal(size=p) + rng.logistic(size=n) > 0.5).astype(np.float32)
    return x, response


def folds(n, k, seed=1):
    order = np.random.default_rng(seed).permutation(n)
    for part in np.split(order, k):
        yield np.setdiff1d(order, part), part


def accuracy(w, x, y):
    w = np.asarray(w)
    return np.mean(((x @ w[1:] + w[0]) > 0) == (y > 0.5))


def main():
    x, y = campaign_data()
    start = time.perf_counter()
    results = {}
    for penalty in (1e-3, 1e-2, 1e-1):
        results[penalty] = np.mean([accuracy(fit(x[tr], y[tr], penalty), x[te], y[te]) for tr, te in folds(len(y), 4)])
    elapsed = time.perf_counter() - start
    best = max(results, key=results.get)
    print("best penalty", best, "accuracy %.3f" % results[best])
    print("seconds %.1f on %s" % (elapsed, jax.default_backend()))


if __name__ == "__main__":
    main()
