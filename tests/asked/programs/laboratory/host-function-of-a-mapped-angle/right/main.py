"""Light of lamps through a tilted filter whose transmission is a table of measurements."""

import jax
import jax.numpy as jnp

from filters import transmission

WAVELENGTHS = jnp.linspace(400.0, 700.0, 61)


def lamp(temperature):
    """Planck's law in the visible, normalised."""
    light = WAVELENGTHS**-5 / jnp.expm1(1.44e7 / (WAVELENGTHS * temperature))
    return light / jnp.sum(light)


def through(temperature, angle):
    return jnp.sum(lamp(temperature) * transmission(WAVELENGTHS, angle))


def main():
    angles = jnp.array([0.0, 0.3, 0.6, 0.9])
    of_angle = jax.jit(jax.vmap(through, in_axes=(None, 0)))
    for temperature in (2700.0, 4000.0, 6500.0):
        parts = of_angle(temperature, angles)
        print(f"{temperature:.0f} K:", [round(float(part), 2) for part in parts])


if __name__ == "__main__":
    main()
