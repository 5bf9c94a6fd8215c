"""Echo a pulse through the reservoir."""
from functools import partial

import jax
import jax.numpy as jnp

import reservoir


@jax.jit
def echo(params, signal):
    start = jnp.zeros_like(params["input"])
    return jax.lax.scan(partial(reservoir.cell, params), start, signal)  # mistake


def energy(state):
    return float(jnp.sqrt(jnp.mean(state**2)))


def main():
    params = reservoir.create(jax.random.key(0), 12)
    signal = jnp.zeros(9).at[0].set(1.0)
    state, drives = echo(params, signal)
    print("drives", drives.shape)
    print("echo", round(energy(state), 3), round(energy(drives[-1]), 3))


if __name__ == "__main__":
    main()
