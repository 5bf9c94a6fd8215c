import equinox as eqx
import jax
import jax.numpy as jnp

from agent import MemoryAgent

CORRIDOR = 6


@jax.jit
def observe(position, cue):
    at_start = position == 0
    at_end = position == CORRIDOR
    return jnp.array([jnp.where(at_start, cue, 0.0), at_end, 1.0])


@eqx.filter_jit
def act(agent, obs, key):
    return agent(obs, key)


def play(agent, key, cue):
    position, choice = 0, 0
    while position < CORRIDOR:
        key, sub = jax.random.split(key)
        choice = act(agent, observe(position, cue), sub)
        position += 1
    return int(choice)


def main():
    k_agent, k_play = jax.random.split(jax.random.key(0))
    agent = MemoryAgent(3, 2, 8, key=k_agent)
    wins = 0
    for episode in range(6):
        cue = 1.0 if episode % 2 else -1.0
        choice = play(agent, jax.random.fold_in(k_play, episode), cue)
        wins += int(choice == (cue > 0))
    print(f"untrained agent wins {wins} of 6")


if __name__ == "__main__":
    main()
