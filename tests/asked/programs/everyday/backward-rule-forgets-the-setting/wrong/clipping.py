"""An identity whose gradient is clipped."""
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def clip_gradient(limit, x):
    return x


def _forward(limit, x):
    return x, None


def _backward(residuals, cotangent):  # mistake
    return (jnp.clip(cotangent, -1.0, 1.0),)


clip_gradient.defvjp(_forward, _backward)  # mistake
