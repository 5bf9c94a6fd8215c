"""Clip the gradient of each layer, and train."""
import jax
import jax.numpy as jnp

from layers import forward, init


def clipped(grads, limit=1.0):
    """Scale the gradient of each layer to a norm of at most the limit."""
    layers = []
    for weights, bias in grads:
        norm = jnp.sqrt(jnp.sum(weights**2) + jnp.sum(bias**2))
        scale = jnp.minimum(1.0, limit / norm)
        layers.append([scale * weights, scale * bias])
    return layers


@jax.jit
def step(layers, x, y):
    loss, grads = jax.value_and_grad(lambda layers: jnp.mean((forward(layers, x) - y) ** 2))(layers)
    layers = jax.tree.map(lambda p, g: p - 0.1 * g, layers, clipped(grads))
    return layers, loss


if __name__ == "__main__":
    layers = init(jax.random.key(0), (3, 8, 1))
    x = jax.random.normal(jax.random.key(1), (16, 3))
    losses = []
    for _ in range(6):
        layers, loss = step(layers, x, 3.0 * x[:, 0])
        losses.append(loss)
    print("better", bool(losses[-1] < losses[0]))
