"""A platoon of cars, each with a controller of its own."""

import jax
import jax.numpy as jnp

CARS = 12
STATE = 4  # position, speed, gap, speed of the car ahead
DT = 0.1


def acceleration(state, gain):
    target = jnp.array([0.0, 25.0, 10.0, 25.0])
    return jnp.clip(jnp.dot(gain, target - state), -4.0, 3.0)


def move(state, push):
    position, speed, gap, ahead = state
    return jnp.array([position + DT * speed, speed + DT * push, gap + DT * (ahead - speed), ahead])


all_pushes = jax.vmap(acceleration, in_axes=(0, 0))


@jax.jit
def step(states, gains):
    pushes = all_pushes(states, gains)
    states = jax.vmap(move)(states, pushes)
    ahead = jnp.concatenate([jnp.array([25.0]), states[:-1, 1]])
    return states.at[:, 3].set(ahead)


def tuned_gains(key):
    base = jnp.array([0.0, 0.4, -0.2, 0.1])
    return base + 0.02 * jax.random.normal(key, (CARS, STATE))


def start(key):
    speeds = 22.0 + jax.random.normal(key, (CARS,))
    positions = -15.0 * jnp.arange(CARS)
    return jnp.stack([positions, speeds, jnp.full(CARS, 15.0), speeds], axis=1)


def main():
    k_gain, k_start = jax.random.split(jax.random.key(2))
    gains, states = tuned_gains(k_gain), start(k_start)
    for _ in range(80):
        states = step(states, gains)
    print("cars", states.shape[0])
    print("speeds are near:", bool(jnp.ptp(states[:, 1]) < 15.0))


if __name__ == "__main__":
    main()
