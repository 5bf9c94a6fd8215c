"""Oscillators with different restoring forces."""
import jax
import jax.numpy as jnp
from jax.experimental.ode import odeint


def linear(x):
    return -x


def hardening(x):
    return -x - 0.5 * x**3


def dynamics(state, t, force, damping):
    x, v = state
    return v, force(x) - damping * v


def simulate(force, damping, times):
    start = (jnp.float32(1.0), jnp.float32(0.0))
    return odeint(dynamics, start, times, force, damping)  # mistake


def main():
    times = jnp.linspace(0.0, 6.0, 13)
    for force in (linear, hardening):
        x, _ = simulate(force, 0.1, times)
        print(force.__name__, x.shape, "decays:", bool(jnp.abs(x[-1]) < 1.0))


if __name__ == "__main__":
    main()
