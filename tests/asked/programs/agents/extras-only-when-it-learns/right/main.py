"""An agent that learns from its memory once enough is in it."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

CAPACITY = 64
ENOUGH = 16
ACTIONS = 3


class Memory(NamedTuple):
    states: jax.Array
    actions: jax.Array
    rewards: jax.Array
    count: jax.Array


def empty():
    return Memory(jnp.zeros((CAPACITY, 2)), jnp.zeros(CAPACITY, jnp.int32), jnp.zeros(CAPACITY), jnp.array(0))


def remember(memory, state, action, reward):
    at = memory.count % CAPACITY
    return Memory(
        memory.states.at[at].set(state),
        memory.actions.at[at].set(action),
        memory.rewards.at[at].set(reward),
        memory.count + 1,
    )


def values(weights, states):
    return states @ weights


def td_loss(weights, memory):
    picked = jnp.take_along_axis(values(weights, memory.states), memory.actions[:, None], axis=1)[:, 0]
    errors = picked - memory.rewards
    valid = jnp.arange(CAPACITY) < memory.count
    return jnp.sum(valid * errors**2) / jnp.maximum(memory.count, 1), errors


def learn(weights, memory):
    (loss, errors), slope = jax.value_and_grad(td_loss, has_aux=True)(weights, memory)
    return weights - 0.05 * slope, {"loss": loss, "largest error": jnp.abs(errors).max()}


def wait(weights, memory):
    return weights, {"loss": jnp.array(0.0), "largest error": jnp.array(0.0)}


@jax.jit
def interact(weights, memory, key):
    k_state, k_action = jax.random.split(key)
    state = jax.random.normal(k_state, (2,))
    action = jax.random.randint(k_action, (), 0, ACTIONS)
    reward = jnp.where(action == 0, state[0], -state[1])
    memory = remember(memory, state, action, reward)
    weights, extras = jax.lax.cond(memory.count >= ENOUGH, learn, wait, weights, memory)
    return weights, memory, extras


def main():
    weights, memory = jnp.zeros((2, ACTIONS)), empty()
    for key in jax.random.split(jax.random.key(3), 60):
        weights, memory, extras = interact(weights, memory, key)
    print("seen", int(memory.count))
    print("metrics", sorted(extras))
    print("learnt", bool(jnp.abs(weights).max() > 0.1))


if __name__ == "__main__":
    main()
