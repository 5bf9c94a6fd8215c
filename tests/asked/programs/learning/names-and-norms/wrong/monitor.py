"""Figures that are logged during training."""
import jax
import jax.numpy as jnp


def norms(params, grads):
    """The norm of the gradient of each layer."""
    values = jax.tree.leaves(jax.tree.map(jnp.linalg.norm, grads))
    return dict(zip(params.keys(), values))  # mistake
