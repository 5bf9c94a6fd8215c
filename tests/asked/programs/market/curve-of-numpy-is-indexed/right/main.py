"""Discount the payments of a pool of loans on a curve of rates."""

import jax
import jax.numpy as jnp
import numpy as np

YEARS = 31
CURVE = 0.02 + 0.015 * (1.0 - np.exp(-np.arange(YEARS) / 8.0)).astype(np.float32)


def rate_at(month):
    """The rate of the year in which a month lies."""
    year = jnp.clip(month // 12, 0, YEARS - 1)
    return jnp.asarray(CURVE)[year]


def discount(month):
    return jnp.exp(-rate_at(month) * month / 12.0)


def loan_value(loan):
    """The present value of equal payments until the loan ends."""
    months = jnp.arange(360)
    paid = jnp.where(months < loan["months"], loan["payment"], 0.0)
    return jnp.sum(paid * discount(months))


@jax.jit
def pool_value(pool):
    return jnp.sum(jax.vmap(loan_value)(pool))


def make_pool(rng, n=50):
    return {
        "months": rng.integers(24, 360, n),
        "payment": rng.uniform(200.0, 900.0, n).astype(np.float32),
    }


def main():
    pool = make_pool(np.random.default_rng(3))
    worth = float(pool_value(pool))
    nominal = float(np.sum(pool["months"] * pool["payment"]))
    print("less than its payments:", worth < nominal)
    print(f"{worth / nominal:.2f} of them")


if __name__ == "__main__":
    main()
