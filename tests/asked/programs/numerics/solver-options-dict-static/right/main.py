import jax.numpy as jnp
import numpy as np

from linesearch import SolverOptions
from solver import minimize_gd


def logistic_loss(w, X, y):
    margin = y * (X @ w)
    return jnp.mean(jnp.logaddexp(0.0, -margin)) + 1e-3 * jnp.sum(w**2)


def build_problem(n=200, d=8, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(np.float32)
    w_true = rng.normal(size=d).astype(np.float32)
    y = np.sign(X @ w_true + 0.5 * rng.normal(size=n)).astype(np.float32)
    return jnp.asarray(X), jnp.asarray(y)


def run_experiment(max_iter: int):
    X, y = build_problem()
    options = SolverOptions(max_iter=max_iter, shrink=0.7)
    w, losses = minimize_gd(logistic_loss, jnp.zeros(X.shape[1]), X, y, options=options)
    acc = jnp.mean(jnp.sign(X @ w) == y)
    return losses, acc


if __name__ == "__main__":
    losses, acc = run_experiment(max_iter=60)
    print("loss:", losses[0], "->", losses[-1])
    print("accuracy:", acc)
