"""Fit a linear Q function to a batch of transitions."""
from functools import partial

import jax
import jax.numpy as jnp

from losses import td_loss


@partial(jax.jit, static_argnames="number_of_actions")
def update(params, batch, number_of_actions):
    loss, grads = jax.value_and_grad(td_loss)(params, batch, number_of_actions)
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    return params, loss


def transitions(key, count, number_of_actions):
    keys = jax.random.split(key, 4)
    return {
        "observations": jax.random.normal(keys[0], (count, 4)),
        "next_observations": jax.random.normal(keys[1], (count, 4)),
        "actions": jax.random.randint(keys[2], (count,), 0, number_of_actions),
        "rewards": jax.random.normal(keys[3], (count,)),
    }


if __name__ == "__main__":
    number_of_actions = 3
    batch = transitions(jax.random.key(1), 16, number_of_actions)
    params = {"w": jnp.zeros((4, number_of_actions)), "b": jnp.zeros(number_of_actions)}
    losses = []
    for _ in range(5):
        params, loss = update(params, batch, number_of_actions)
        losses.append(float(loss))
    print("better", losses[-1] < losses[0])
