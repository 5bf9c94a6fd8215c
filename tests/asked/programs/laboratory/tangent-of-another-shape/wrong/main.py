"""Fit the pressure of a gas with a smooth limit on its density."""

import jax
import jax.numpy as jnp


@jax.custom_jvp
def limited(density):
    """log(1 + exp(x)), with a derivative that does not overflow."""
    return jnp.logaddexp(density, 0.0)


@limited.defjvp
def limited_jvp(primals, tangents):
    (density,) = primals
    (change,) = tangents
    slope = jax.nn.sigmoid(density)
    return limited(density), jnp.sum(slope * change)  # mistake


def pressure(params, density):
    repulsion = limited(params["hardness"] * (density - params["packing"]))
    return density * (1.0 + repulsion) - params["attraction"] * density**2


def misfit(params, density, measured):
    return jnp.mean((pressure(params, density) - measured) ** 2)


def measure(key):
    density = jnp.linspace(0.1, 1.2, 40)
    truth = {"hardness": 6.0, "packing": 0.8, "attraction": 0.5}
    noise = 0.01 * jax.random.normal(key, density.shape)
    return density, pressure(truth, density) + noise


def main():
    density, measured = measure(jax.random.key(1))
    params = {"hardness": jnp.array(4.0), "packing": jnp.array(1.0), "attraction": jnp.array(0.0)}
    before = misfit(params, density, measured)
    slope = jax.jit(jax.grad(misfit))
    for _ in range(500):
        step = slope(params, density, measured)
        params = jax.tree.map(lambda p, g: p - 0.05 * g, params, step)
    after = misfit(params, density, measured)
    print("fits better:", bool(after < 0.1 * before))
    print("attraction is positive:", bool(params["attraction"] > 0))


if __name__ == "__main__":
    main()
