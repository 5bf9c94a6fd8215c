"""How far are drops of different size carried?"""

import jax
import jax.numpy as jnp
from integrate import forward_euler

STEPS = 20


def terminal_speed(drag):
    return 9.81 / drag


def main():
    starts = jnp.zeros((5, 3)).at[:, 2].set(1.8)
    drags = jnp.linspace(5.0, 20.0, 5)
    carried = []
    for start, drag in zip(starts, drags):
        position, velocity = forward_euler(start, jnp.zeros(3), drag, 0.0, 0.6, STEPS)
        carried.append(position[0])
    carried = jnp.stack(carried)
    print("drops", carried.shape[0])
    print("small ones are carried further", bool((jnp.diff(carried) > 0).all()))
    print("speeds", bool((terminal_speed(drags) > 0).all()), jax.numpy.isfinite(velocity).all())


if __name__ == "__main__":
    main()
