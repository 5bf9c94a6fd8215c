"""Swing up many pendulums at once with a simple controller."""

import jax
import jax.numpy as jnp

from environment import Pendulum


def controller(observation):
    """Pump energy, and hold on near the top."""
    cos, sin, speed = observation
    energy = 0.5 * speed**2 + 10.0 * (cos - 1.0)
    near = cos > 0.95
    return jnp.where(near, -12.0 * sin - 4.0 * speed, -0.8 * speed * energy / 10.0)


def main():
    environment = Pendulum()
    keys = jax.random.split(jax.random.key(0), 16)
    states, observations = jax.vmap(environment.reset)(keys)  # mistake
    step = jax.jit(jax.vmap(environment.step))
    for _ in range(400):
        actions = jax.vmap(controller)(observations)
        states, observations, rewards = step(states, actions)
    print("pendulums", observations.shape[0])
    print("most are up:", bool(jnp.mean(observations[:, 0] > 0.9) > 0.5))


if __name__ == "__main__":
    main()
