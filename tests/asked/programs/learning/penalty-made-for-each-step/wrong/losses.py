"""Losses with a penalty."""
import jax.numpy as jnp
from jax.tree_util import Partial


def penalised_loss(strength):
    return Partial(  # mistake
        lambda params, x, y, strength: jnp.mean((x @ params - y) ** 2) + strength * jnp.sum(jnp.abs(params)),
        strength=strength,
    )
