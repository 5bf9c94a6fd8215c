"""Encoder with two branches for left and right camera."""
import equinox as eqx
import jax
import jax.numpy as jnp


class Stereo(eqx.Module):
    left: eqx.nn.Linear
    right: eqx.nn.Linear
    head: eqx.nn.Linear

    def __init__(self, features, key):
        key_left, key_right, key_head = jax.random.split(key, 3)
        self.left = eqx.nn.Linear(features, 8, key=key_left)
        self.right = eqx.nn.Linear(features, 8, key=key_right)
        self.head = eqx.nn.Linear(16, 1, key=key_head)

    def __call__(self, left, right):
        hidden = jnp.concatenate([jnp.tanh(self.left(left)), jnp.tanh(self.right(right))])
        return self.head(hidden)[0]
