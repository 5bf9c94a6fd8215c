"""Fit a curve of dose and response to a plate of wells."""

import jax
import jax.numpy as jnp
from response import deviance, hill

DOSES = jnp.array([0.0, 0.0, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0])


def plate(key):
    truth = {"top": 0.9, "log_half": jnp.log(1.5), "slope": 1.3}
    return hill(truth, DOSES) + 0.02 * jax.random.normal(key, DOSES.shape)


@jax.jit
def step(params, shares):
    value, slope = jax.value_and_grad(deviance)(params, DOSES, shares)
    return jax.tree.map(lambda p, g: p - 0.5 * g, params, slope), value


def main():
    shares = plate(jax.random.key(3))
    params = {"top": jnp.array(1.0), "log_half": jnp.array(0.0), "slope": jnp.array(1.0)}
    for _ in range(100):
        params, value = step(params, shares)
    print("parameters", sorted(params))
    print("finite", all(bool(jnp.isfinite(p)) for p in params.values()))
    print("fitted", bool(value < 0.01))


if __name__ == "__main__":
    main()
