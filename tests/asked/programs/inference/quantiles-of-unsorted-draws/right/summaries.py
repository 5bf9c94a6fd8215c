"""Summaries of posterior draws."""
import jax.numpy as jnp


def interval(draws, mass=0.9):
    draws = draws.sort()
    tail = (1.0 - mass) / 2.0
    low = int(tail * draws.shape[0])
    high = draws.shape[0] - 1 - low
    return float(draws[low]), float(draws[high])


def describe(draws):
    low, high = interval(draws)
    return {"mean": round(float(jnp.mean(draws)), 1), "low": round(low, 1), "high": round(high, 1)}
