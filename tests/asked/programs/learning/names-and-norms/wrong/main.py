"""Look at the gradients of a network whose last layer is zero."""
import jax
import jax.numpy as jnp

from monitor import norms
from network import forward, init


def loss_fn(params, x, y):
    return jnp.mean((forward(params, x) - y) ** 2)


if __name__ == "__main__":
    x = jax.random.normal(jax.random.key(1), (10, 4))
    params = init(jax.random.key(0))
    grads = jax.grad(loss_fn)(params, x, x[:, 0])
    for name, norm in norms(params, grads).items():
        print(name, "learns" if norm > 0.0 else "does not learn yet")
