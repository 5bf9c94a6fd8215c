"""Flowers, sorted by kind as the file has them."""

import jax
import jax.numpy as jnp


def flowers(key, each=40):
    kinds = jnp.repeat(jnp.arange(3), each)
    centres = jnp.array([[0.0, 2.0], [2.0, 0.0], [-2.0, -1.0]])
    return centres[kinds] + 0.5 * jax.random.normal(key, (3 * each, 2)), kinds


def train_and_test(x, kinds, key, share=2 / 3):
    order = jnp.arange(x.shape[0])
    order = jax.random.permutation(key, order)
    cut = int(share * x.shape[0])
    train, test = order[:cut], order[cut:]
    return (x[train], kinds[train]), (x[test], kinds[test])
