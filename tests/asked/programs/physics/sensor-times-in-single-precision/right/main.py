"""Integrate an acceleration over time."""
import jax
import jax.numpy as jnp
import numpy as np

from readings import load


@jax.jit
def integrate(steps, acceleration):
    def step(velocity, inputs):
        dt, a = inputs
        velocity = velocity + dt * a
        return velocity, velocity

    return jax.lax.scan(step, jnp.zeros(()), (steps, acceleration))[1]


def main():
    times, acceleration = load()
    steps = jnp.asarray(np.diff(times))
    velocity = integrate(steps, jnp.asarray(acceleration[1:]))
    print("duration", float(steps.sum()), "final velocity", round(float(velocity[-1]), 0))


if __name__ == "__main__":
    main()
