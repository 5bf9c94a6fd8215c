import jax
import jax.numpy as jnp


def global_norm(tree):
    return jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))


def clip_gradients(grads, max_norm: float):
    norm = global_norm(grads)
    if norm > max_norm:  # mistake
        grads = jax.tree.map(lambda g: g * (max_norm / norm), grads)
    return grads, norm


def momentum_init(params):
    return jax.tree.map(jnp.zeros_like, params)


def momentum_update(params, velocity, grads, lr, beta=0.9):
    velocity = jax.tree.map(lambda v, g: beta * v + g, velocity, grads)
    params = jax.tree.map(lambda p, v: p - lr * v, params, velocity)
    return params, velocity
