"""Find the strength of each heartbeat in a recording."""

import jax
import jax.numpy as jnp

from beats import energies
from recording import record


def main():
    signal, starts, lengths = record(jax.random.key(5))
    strength = jax.jit(energies)(signal, starts, lengths)
    print("beats", strength.shape[0])
    print("first beat is the weakest:", int(jnp.argmin(strength)) == 0)
    print("last beat is the strongest:", int(jnp.argmax(strength)) == strength.shape[0] - 1)


if __name__ == "__main__":
    main()
