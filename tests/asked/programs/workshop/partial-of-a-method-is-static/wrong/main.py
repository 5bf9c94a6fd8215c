"""Check the stress in beams of several materials, cold and hot."""

from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp


class Steel(eqx.Module):
    def stress(self, heat, strain):
        limit = 0.002 * (1.0 - heat / 1500.0)
        return 210.0 * jnp.clip(strain, -limit, limit)


class Rubber(eqx.Module):
    def stress(self, heat, strain):
        return 0.01 * (1.0 - heat / 300.0) * (jnp.exp(strain) - jnp.exp(-2.0 * strain))


@partial(jax.jit, static_argnums=0)
def moment(stress, bend):
    """Resistance of a square beam to a bend."""
    height = jnp.linspace(-0.5, 0.5, 101)
    return jnp.trapezoid(stress(bend * height) * height, height)


def curve(material, heat, bends):
    return jnp.stack([moment(partial(material.stress, heat), bend) for bend in bends])  # mistake


def main():
    bends = jnp.linspace(0.001, 0.01, 8)
    cold = [curve(material, 20.0, bends) for material in (Steel(), Rubber())]
    hot = [curve(material, 120.0, bends) for material in (Steel(), Rubber())]
    print("steel yields:", bool(cold[0][-1] / cold[0][0] < 9.0))
    print("heat makes softer:", all(bool(h[-1] < c[-1]) for c, h in zip(cold, hot)))
    print("compiled", moment._cache_size(), "times for 2 materials and 2 temperatures")


if __name__ == "__main__":
    main()
