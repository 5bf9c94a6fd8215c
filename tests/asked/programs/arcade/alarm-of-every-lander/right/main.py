"""Descend with a fleet of landers and report those that come down too fast."""

import jax
import jax.numpy as jnp

LIMIT = 8.0


def thrust(height, speed):
    """Brake harder when fast and low."""
    return jnp.clip(0.3 * speed - 0.05 * height, 0.0, 3.0)


def descend(number, height, speed):
    """The speed at the ground."""

    def falling(state):
        height, speed = state
        speed = speed + 0.1 * (1.6 - thrust(height, speed))
        return height - 0.1 * speed, speed

    _, speed = jax.lax.while_loop(lambda state: state[0] > 0.0, falling, (height, speed))
    return speed


def fleet(key, n=6):
    k_height, k_speed = jax.random.split(key)
    heights = jax.random.uniform(k_height, (n,), minval=20.0, maxval=60.0)
    speeds = jax.random.uniform(k_speed, (n,), minval=0.0, maxval=20.0)
    return jnp.arange(n), heights, speeds


def main():
    landing = jax.jit(jax.vmap(descend))(*fleet(jax.random.key(3)))
    jax.effects_barrier()
    for number, speed in enumerate(landing):
        if speed > LIMIT:
            print(f"lander {number} is too fast")
    print("landed", landing.shape[0])


if __name__ == "__main__":
    main()
