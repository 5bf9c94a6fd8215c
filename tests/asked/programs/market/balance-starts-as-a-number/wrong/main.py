"""Project a savings plan over thirty years."""

import jax
import jax.numpy as jnp


def growth(key, mean=0.004, deviation=0.02):
    return mean + deviation * jax.random.normal(key)


@jax.jit
def month(balance, deposit, key):
    """One month of interest, fees and saving."""
    interest = balance * growth(key)
    fee = jnp.where(balance > 10_000.0, 1e-4 * balance, 1.0)
    return jnp.maximum(balance + interest - fee, 0.0) + deposit


def project(key, deposit, years):
    balance = 0.0  # mistake
    yearly = []
    for year in range(years):
        for number in range(12):
            step_key = jax.random.fold_in(key, 12 * year + number)
            balance = month(balance, deposit, step_key)  # mistake
        yearly.append(balance)
    return jnp.stack(yearly)


def main():
    deposit = jnp.float32(200.0)
    yearly = project(jax.random.key(2), deposit, 30)
    print("years", yearly.shape[0])
    print("more than was paid in:", bool(yearly[-1] > 30 * 12 * deposit))
    programs = month._cache_size()
    print("the step was compiled", programs, "time" if programs == 1 else "times")


if __name__ == "__main__":
    main()
