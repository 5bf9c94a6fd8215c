"""Follow the temperature of a cup of tea on a window sill."""

import jax
import jax.numpy as jnp
from jax import lax

COOLING = 0.05


def outside(time):
    """The air warms up in the course of an hour."""
    return 15.0 + 5.0 * jnp.sin(jnp.pi * time / 120.0)


def rate(temperature, time):
    return -COOLING * (temperature - outside(time))


def cool(start, end, steps):
    """Temperatures by Heun's method."""
    dt = end / steps
    times = jnp.linspace(0.0, end, steps, endpoint=False)

    def step(temperature, time):
        first = rate(temperature, time)
        second = rate(temperature + dt * first, time + dt)
        temperature = temperature + 0.5 * dt * (first + second)
        return temperature, temperature

    last, course = lax.scan(step, start, times)
    return last, course


def drinkable(course, end, low=50.0, high=65.0):
    """For how many minutes."""
    return jnp.mean((course > low) & (course < high)) * end


def main():
    end = 60.0
    last, course = jax.jit(cool, static_argnums=(1, 2))(jnp.float32(95.0), end, 240)
    print("steps", course.shape)
    print(f"after an hour {float(last):.0f} degrees")
    print(f"drinkable for {float(drinkable(course, end)):.0f} minutes")


if __name__ == "__main__":
    main()
