"""Training steps."""
import jax
import jax.numpy as jnp


def loss_fn(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


@jax.jit
def step(params, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    for name in params:
        params[name] = params[name] - 0.1 * grads[name]  # mistake
    return loss
