"""Period of the earth."""
import jax
import jax.numpy as jnp

import constants

jax.config.update("jax_enable_x64", True)  # mistake


@jax.jit
def period(distance, masses, gravity):
    return 2 * jnp.pi * jnp.sqrt(distance**3 / (gravity * masses.sum()))


def main():
    seconds = period(constants.DISTANCE, constants.MASSES, constants.GRAVITY)[0]
    print(seconds.dtype, "seconds", repr(round(float(seconds), 3)))


if __name__ == "__main__":
    main()
