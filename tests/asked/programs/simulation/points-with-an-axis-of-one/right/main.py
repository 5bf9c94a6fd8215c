"""Solve a differential equation with a network: u'' = -u, u(0) = 0, u'(0) = 1."""
import jax
import jax.numpy as jnp

from network import apply, init


def residual(params, points):
    def u(x):
        return apply(params, x)

    return jax.vmap(jax.grad(jax.grad(u)))(points) + apply(params, points)


def loss_fn(params, points):
    u = lambda x: apply(params, x)
    zero = jnp.array(0.0)
    boundary = u(zero) ** 2 + (jax.grad(u)(zero) - 1.0) ** 2
    return jnp.mean(residual(params, points) ** 2) + boundary


@jax.jit
def step(params, points):
    loss, grads = jax.value_and_grad(loss_fn)(params, points)
    return jax.tree.map(lambda p, g: p - 0.02 * g, params, grads), loss


if __name__ == "__main__":
    points = jnp.linspace(0.0, 1.0, 16)
    params = init(jax.random.key(0), 8)
    losses = []
    for _ in range(10):
        params, loss = step(params, points)
        losses.append(loss)
    print("better", bool(losses[-1] < losses[0]))
