import jax
import jax.numpy as jnp


def init(params):
    return jax.tree.map(jnp.zeros_like, params)


def update(params, velocity, grads, lr, beta=0.9):
    velocity = jax.tree.map(lambda g, v: beta * v + g, grads, velocity)
    params = jax.tree.map(lambda p, v: p - lr * v, params, velocity)
    return params, velocity
