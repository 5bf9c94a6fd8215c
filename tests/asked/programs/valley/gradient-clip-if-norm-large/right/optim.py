import jax
import jax.numpy as jnp


def global_norm(tree):
    return jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))


def clip_gradients(grads, max_norm: float):
    norm = global_norm(grads)
    scale = jnp.minimum(1.0, max_norm / (norm + 1e-6))
    grads = jax.tree.map(lambda g: g * scale, grads)
    return grads, norm


def momentum_init(params):
    return jax.tree.map(jnp.zeros_like, params)


def momentum_update(params, velocity, grads, lr, beta=0.9):
    velocity = jax.tree.map(lambda v, g: beta * v + g, velocity, grads)
    params = jax.tree.map(lambda p, v: p - lr * v, params, velocity)
    return params, velocity
