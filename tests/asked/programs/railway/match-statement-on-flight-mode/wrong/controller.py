import jax.numpy as jnp

TAKE_OFF, HOVER, LAND = 0, 1, 2
GRAVITY = 9.81


def climb(height, speed):
    return GRAVITY + 2.0 * (1.0 - speed)


def hold(height, speed):
    return GRAVITY + 4.0 * (2.0 - height) - 3.0 * speed


def descend(height, speed):
    return GRAVITY + 2.0 * (-0.5 - speed)


def thrust(mode, height, speed):
    match mode:  # mistake
        case 0:  # mistake
            return climb(height, speed)
        case 1:  # mistake
            return hold(height, speed)
        case _:
            return descend(height, speed)


def next_mode(mode, height, time):
    mode = jnp.where((mode == TAKE_OFF) & (height > 1.8), HOVER, mode)
    return jnp.where((mode == HOVER) & (time > 5.0), LAND, mode)
