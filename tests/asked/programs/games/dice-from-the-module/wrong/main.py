"""Three players race to field 40; the bonus cards are shuffled between rounds."""

import jax
import jax.numpy as jnp
import luck
from board import GOAL, PLAYERS, leader, play_round


def main():
    positions = jnp.zeros(PLAYERS, dtype=jnp.int32)
    cards = jnp.arange(6)
    rounds = 0
    while int(positions.max()) < GOAL:
        positions = play_round(positions)
        cards = luck.shuffled(cards)  # mistake
        positions = positions.at[leader(positions)].add(int(cards[0]) == 0)
        rounds += 1
    print("somebody won:", bool(positions.max() >= GOAL))
    print("rounds:", rounds > 5)


if __name__ == "__main__":
    main()
