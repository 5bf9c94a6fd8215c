"""Terminal speed of a falling drop, and its derivative by the radius."""
import jax
import jax.numpy as jnp
from scipy.optimize import brentq

DENSITY = 1000.0
AIR = 1.2


def net_force(speed, radius):
    mass = DENSITY * 4.0 / 3.0 * jnp.pi * radius**3
    drag = 0.5 * AIR * 0.47 * jnp.pi * radius**2 * speed**2 + 0.0003 * radius * speed
    return mass * 9.81 - drag


def terminal_speed(radius):
    return brentq(lambda speed: net_force(speed, radius), 0.0, 100.0)  # mistake


def main():
    for radius in (0.5e-3, 1e-3, 2e-3):
        speed, slope = jax.value_and_grad(terminal_speed)(radius)
        print(radius, round(float(speed), 1), "faster when larger:", float(slope) > 0)


if __name__ == "__main__":
    main()
