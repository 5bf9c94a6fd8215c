"""Fit the rates of a substitution process to aligned sequences."""
import jax
import jax.numpy as jnp
import jax.scipy.linalg as linalg


def generator(log_rates):
    """A matrix of rates between four states, whose rows sum to zero."""
    rates = jnp.exp(log_rates)
    away = jnp.zeros((4, 4)).at[jnp.triu_indices(4, 1)].set(rates)
    away = away + away.T
    return away - jnp.diag(away.sum(axis=1))


def log_likelihood(log_rates, counts, time):
    probabilities = linalg.expm(time * generator(log_rates))
    return jnp.sum(counts * jnp.log(probabilities))


def fit(counts, time, steps):
    log_rates = jnp.zeros(6)
    score = jax.grad(log_likelihood)
    for _ in range(steps):
        log_rates = log_rates + 0.01 * score(log_rates, counts, time)
    return log_rates


if __name__ == "__main__":
    counts = jnp.array([[30, 2, 8, 1], [3, 25, 1, 9], [7, 2, 28, 2], [1, 8, 2, 31]])
    log_rates = fit(counts, 0.5, 2)
    print("rates", log_rates.shape)
    print("unequal", bool(log_rates.max() - log_rates.min() > 0.1))
