"""Fit a smooth curve to the yields of a few bonds."""

from functools import partial

import jax
import jax.numpy as jnp

TENORS = [1, 2, 5, 10, 30]


def curve(params, tenor):
    """Level, slope and hump."""
    decay = jnp.exp(-tenor / jnp.exp(params["scale"]))
    slope = (1 - decay) / (tenor / jnp.exp(params["scale"]))
    return params["level"] + params["slope"] * slope + params["hump"] * (slope - decay)


@partial(jax.jit, static_argnames="tenors")
def misfit(params, yields, tenors):
    error = 0.0
    for number, tenor in enumerate(tenors):
        weight = 1.0 if tenor > 1 else 0.5
        error += weight * (curve(params, tenor) - yields[number]) ** 2
    return error


def fit(yields, steps=400):
    params = {"level": 0.03, "slope": 0.0, "hump": 0.0, "scale": 0.5}
    params = jax.tree.map(jnp.float32, params)
    for _ in range(steps):
        slope = jax.grad(misfit)(params, yields, tenors=TENORS)  # mistake
        params = jax.tree.map(lambda p, g: p - 0.05 * g, params, slope)
    return params


def main():
    yields = jnp.array([0.021, 0.023, 0.028, 0.032, 0.035])
    params = fit(yields)
    fitted = jnp.stack([curve(params, tenor) for tenor in TENORS])
    print("largest error below half a percent:", bool(jnp.max(jnp.abs(fitted - yields)) < 0.005))


if __name__ == "__main__":
    main()
