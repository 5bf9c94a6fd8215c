"""Noise-conditional score matching: a line for the score at each level of noise."""

import jax
import jax.numpy as jnp

LEVELS = jnp.array([1.0, 0.7, 0.5, 0.3])
DRAWS = 64


def data(key, count=DRAWS):
    return 2.0 + 0.5 * jax.random.normal(key, (count,))


def score(params, x):
    return params[0] + params[1] * x


def level_loss(params, x, noise, sigma):
    perturbed = x + sigma * noise
    residual = sigma * score(params, perturbed) + noise
    return jnp.mean(residual**2)


@jax.jit
def total_loss(params, x, key):
    def body(i, carry):
        total, seen = carry
        noise = jax.random.normal(jax.random.fold_in(key, i), x.shape)
        total = total + level_loss(params, x, noise, LEVELS[i])
        return total, seen.at[i].set(noise[0])

    start = (jnp.array(0.0), jnp.zeros(LEVELS.shape))
    return jax.lax.fori_loop(0, LEVELS.shape[0], body, start)


def fit(x, key, steps=60):
    params = jnp.zeros(2)
    slope = jax.jit(jax.grad(total_loss, has_aux=True))
    for k in jax.random.split(key, steps):
        grads, _ = slope(params, x, k)
        params = params - 0.02 * grads
    return params, total_loss(params, x, key)[1]


def main():
    k_data, k_fit = jax.random.split(jax.random.key(1))
    x = data(k_data)
    params, seen = fit(x, k_fit)
    print("slope is negative:", bool(params[1] < 0))
    print("different noise at each level:", len({float(s) for s in seen}) == LEVELS.shape[0])


if __name__ == "__main__":
    main()
