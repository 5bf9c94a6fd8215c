"""How ill are patients whom several raters have scored?"""

import jax
import jax.numpy as jnp

PATIENTS = RATERS = 8


def score_mean(params):
    """Expected scores; patients are the rows, raters the columns."""
    return params["severity"][:, None] + params["habit"][None, :]


def log_prior(params):
    return -0.5 * jnp.sum(params["severity"] ** 2) - 2.0 * jnp.sum(params["habit"] ** 2)


def log_posterior(params, scores):
    residual = scores - score_mean(params)
    return -0.5 * jnp.sum((residual / 0.3) ** 2) + log_prior(params)


def made_up(key):
    k_severity, k_habit, k_noise = jax.random.split(key, 3)
    severity = jax.random.normal(k_severity, (PATIENTS,))
    habit = 0.5 * jax.random.normal(k_habit, (RATERS,))
    noise = 0.3 * jax.random.normal(k_noise, (PATIENTS, RATERS))
    return severity, severity[:, None] + habit[None, :] + noise


@jax.jit
def climb(params, scores):
    slope = jax.grad(log_posterior)(params, scores)
    return jax.tree.map(lambda p, g: p + 0.005 * g, params, slope)


def main():
    severity, scores = made_up(jax.random.key(5))
    params = {"severity": jnp.zeros(PATIENTS), "habit": jnp.zeros(RATERS)}
    for _ in range(400):
        params = climb(params, scores)
    agreement = jnp.corrcoef(params["severity"], severity)[0, 1]
    print("scores", scores.shape)
    print("severities are found:", bool(agreement > 0.9))


if __name__ == "__main__":
    main()
