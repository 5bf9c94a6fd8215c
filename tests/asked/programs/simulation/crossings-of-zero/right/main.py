"""Measure the period of a pendulum with a large swing."""
import jax
import jax.numpy as jnp

DT = 0.01


def swing(angle, steps):
    def step(state, _):
        angle, speed = state
        speed = speed - DT * jnp.sin(angle)
        angle = angle + DT * speed
        return (angle, speed), angle

    return jax.lax.scan(step, (angle, jnp.zeros_like(angle)), length=steps)[1]


@jax.jit
def period(angle):
    """Twice the time between two crossings of zero."""
    angles = swing(angle, 2000)
    crossed = angles[1:] * angles[:-1] < 0.0
    where = jnp.argwhere(crossed, size=2)[:, 0]
    return 2.0 * DT * (where[1] - where[0])


if __name__ == "__main__":
    small, large = period(jnp.array(0.1)), period(jnp.array(2.0))
    print("small swing", round(float(small), 1))
    print("longer", bool(large > small))
