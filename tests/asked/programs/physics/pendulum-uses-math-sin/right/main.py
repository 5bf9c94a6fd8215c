"""Integrate a driven pendulum."""
import jax
import jax.numpy as jnp

from pendulum import Pendulum, midpoint


@jax.jit
def simulate(state, drive):
    times = 0.01 * jnp.arange(300)

    def step(state, t):
        state = midpoint(state, t, 0.01, drive)
        return state, state.angle

    return jax.lax.scan(step, state, times)


def main():
    state, angles = simulate(Pendulum(jnp.float32(0.3), jnp.float32(0.0)), 0.5)
    print(angles.shape, "small:", bool(jnp.all(jnp.abs(angles) < 1.0)))


if __name__ == "__main__":
    main()
