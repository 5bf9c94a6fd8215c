"""Discounted returns."""

import jax
import jax.numpy as jnp


def discounted(rewards, discount=0.9):
    def back(later, reward):
        value = reward + discount * later
        return value, value

    _, values = jax.lax.scan(back, jnp.zeros_like(rewards[0]), rewards, reverse=True)
    return values
