"""Play a game of catch for many steps and log the returns of its episodes."""

import jax
import jax.numpy as jnp

from catch import Catch
from logger import LogWrapper

environment = LogWrapper(Catch())


def policy(observation):
    """Move towards the ball."""
    return jnp.sign(observation[0] - observation[2]).astype(jnp.int32)


def step(carry, key):
    state, observation = carry
    step_key, reset_key = jax.random.split(key)
    action = policy(observation)
    after, seen, reward, done = environment.step(step_key, state, action)
    state, observation = jax.lax.cond(done, lambda: environment.reset(reset_key), lambda: (after, seen))
    return (state, observation), (done, after.total)


@jax.jit
def play(key):
    reset_key, key = jax.random.split(key)
    first = environment.reset(reset_key)
    _, (done, totals) = jax.lax.scan(step, first, jax.random.split(key, 120))
    return done, totals


def main():
    done, totals = play(jax.random.key(1))
    print("episodes", int(jnp.sum(done)))
    print("all were won:", bool(jnp.all(jnp.where(done, totals == 1.0, True))))


if __name__ == "__main__":
    main()
