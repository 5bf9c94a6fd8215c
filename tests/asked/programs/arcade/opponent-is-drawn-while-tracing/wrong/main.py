"""A tournament of rock, paper, scissors against four styles of play."""

import jax
import jax.numpy as jnp

from rounds import STYLES, play_round


def main():
    history = jnp.zeros(3)
    met = []
    for key in jax.random.split(jax.random.key(0), 60):
        history, outcome, style = play_round(key, history)
        met.append(int(style))
    print("styles", len(STYLES), "of which were met", len(set(met)))
    print("rounds", len(met), "moves seen", int(jnp.sum(history)))


if __name__ == "__main__":
    main()
