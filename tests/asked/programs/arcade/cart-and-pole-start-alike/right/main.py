"""How long does a pole stay up without control?"""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class State(NamedTuple):
    position: jax.Array  # of the cart and the angle of the pole
    speed: jax.Array


def reset(key):
    position_key, speed_key = jax.random.split(key)
    position = jax.random.uniform(position_key, (2,), minval=-0.05, maxval=0.05)
    speed = jax.random.uniform(speed_key, (2,), minval=-0.05, maxval=0.05)
    return State(position, speed)


def step(state, dt=0.02):
    angle = state.position[1]
    turn = 9.8 * jnp.sin(angle) / 0.5
    drift = -0.3 * turn * jnp.cos(angle)
    speed = state.speed + dt * jnp.stack([drift, turn])
    return State(state.position + dt * speed, speed)


def survives(start, steps=300):
    """The number of steps until the pole leans by more than a fifth."""

    def body(state, _):
        state = step(state)
        return state, jnp.abs(state.position[1]) < 0.2

    _, up = jax.lax.scan(body, start, None, length=steps)
    return jnp.sum(jnp.cumprod(up))


def main():
    keys = jax.random.split(jax.random.key(9), 2000)
    starts = jax.vmap(reset)(keys)
    outward = jnp.mean(starts.position[:, 1] * starts.speed[:, 1] > 0)
    steps = jax.jit(jax.vmap(survives))(starts)
    print(f"falls at once in {float(outward):.1f} of the episodes")
    print(f"the longest lasts {int(jnp.max(steps))} steps, on average {float(jnp.mean(steps)):.0f}")


if __name__ == "__main__":
    main()
