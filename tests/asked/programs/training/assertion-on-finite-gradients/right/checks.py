"""Sanity checks of training."""
import jax
import jax.numpy as jnp


def all_finite(tree):
    return jnp.all(jnp.array([jnp.all(jnp.isfinite(leaf)) for leaf in jax.tree.leaves(tree)]))
