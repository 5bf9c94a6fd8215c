import jax.numpy as jnp


def reaction_map(theta, x):
    params, feed = theta["params"], theta["feed"]
    consumed = params["rate"] * x * jnp.roll(x, 1) / (1.0 + x)
    return feed - consumed + params["mix"] * jnp.roll(x, -1)


def residual_norm(x, theta):
    return jnp.linalg.norm(reaction_map(theta, x) - x)
