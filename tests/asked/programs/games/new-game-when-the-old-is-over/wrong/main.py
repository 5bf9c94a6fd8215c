"""Play with a paddle that follows the ball."""

import jax
import jax.numpy as jnp
from catch import observe, reset
from wrapper import auto_step


def follow(observation):
    return jnp.sign(observation[1] - observation[2]) + 1


@jax.jit
def play(key):
    def body(state, key):
        state, reward, done = auto_step(key, state, follow(observe(state)))
        return state, (reward, done)

    k_start, k_steps = jax.random.split(key)
    return jax.lax.scan(body, reset(k_start), jax.random.split(k_steps, 70))


def main():
    _, (rewards, dones) = play(jax.random.key(9))
    print("games", int(dones.sum()))
    print("all caught", bool(rewards.sum() == dones.sum()))


if __name__ == "__main__":
    main()
