import jax
import jax.numpy as jnp


def param_shapes(params):
    return jax.tree.map(lambda p: p.shape, params)


def init(params):
    return jax.tree.map(jnp.zeros, param_shapes(params))  # mistake


def update(params, velocity, grads, lr, beta=0.9):
    velocity = jax.tree.map(lambda g, v: beta * v + g, grads, velocity)  # mistake
    params = jax.tree.map(lambda p, v: p - lr * v, params, velocity)
    return params, velocity
