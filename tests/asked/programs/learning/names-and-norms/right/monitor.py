"""Figures that are logged during training."""
import jax.numpy as jnp


def norms(params, grads):
    """The norm of the gradient of each layer."""
    return {name: jnp.linalg.norm(grads[name]) for name in params}
