"""Summarise a year of orders by shop and by day."""

from functools import partial

import jax
import jax.numpy as jnp

SHOPS, DAYS = 6, 365


def orders(key):
    k_shop, k_noise = jax.random.split(key)
    size = 50.0 + 100.0 * jax.random.uniform(k_shop, (SHOPS, 1))
    season = 1.0 + 0.3 * jnp.sin(2 * jnp.pi * jnp.arange(DAYS) / DAYS)
    return size * season * jnp.exp(0.1 * jax.random.normal(k_noise, (SHOPS, DAYS)))


@partial(jax.jit, static_argnames="axis")
def summary(table, axis):
    """Mean and spread along one axis, and how much the largest stands out."""
    mean = jnp.mean(table, axis=axis)
    spread = jnp.std(table, axis=axis)
    return {"mean": mean, "spread": spread, "peak": jnp.max(mean) / jnp.mean(mean)}


def above(found):
    """How many are above the average."""
    return int(jnp.sum(found["mean"] > jnp.mean(found["mean"])))


def report(name, found):
    print(f"{name}: {found['mean'].shape[0]} means, {above(found)} above average, peak {float(found['peak']):.1f}")


def main():
    table = orders(jax.random.key(0))
    by_shop = summary(table, 1)
    by_day = summary(table, 0)
    report("shops", by_shop)
    report("days", by_day)
    print("days differ less than shops:", bool(jnp.std(by_day["mean"]) < jnp.std(by_shop["mean"])))


if __name__ == "__main__":
    main()
