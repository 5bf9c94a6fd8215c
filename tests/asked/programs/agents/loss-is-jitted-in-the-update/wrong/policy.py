"""A policy over two actions."""

import equinox as eqx
import jax
import jax.numpy as jnp


class Policy(eqx.Module):
    body: eqx.nn.MLP

    def __init__(self, key):
        self.body = eqx.nn.MLP(3, 2, 8, 1, key=key)

    def __call__(self, state):
        return jax.nn.log_softmax(self.body(state))


def act(policy, state, key):
    return jax.random.categorical(key, policy(state))


def rewards_to_go(rewards):
    return jnp.cumsum(rewards[::-1])[::-1]
