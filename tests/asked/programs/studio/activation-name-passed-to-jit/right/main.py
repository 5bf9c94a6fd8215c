from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import optax

from layers import init_params, mlp

LR = 5e-3


def huber_loss(params, x, y, activation):
    pred = mlp(params, x, activation)[:, 0]
    return optax.huber_loss(pred, y).mean()


@partial(jax.jit, static_argnames="activation")
def sgd_step(params, velocity, x, y, activation):
    loss, grads = jax.value_and_grad(huber_loss)(params, x, y, activation)
    velocity = jax.tree.map(lambda v, g: 0.9 * v - LR * g, velocity, grads)
    params = jax.tree.map(jnp.add, params, velocity)
    return params, velocity, loss


def run(activation, x, y, epochs=80):
    params = init_params(jax.random.key(42), [x.shape[1], 32, 32, 1])
    velocity = jax.tree.map(jnp.zeros_like, params)
    for _ in range(epochs):
        params, velocity, loss = sgd_step(params, velocity, x, y, activation=activation)
    return float(loss)


def main():
    rng = np.random.default_rng(3)
    x = rng.uniform(-2, 2, size=(400, 4)).astype(np.float32)
    y = (np.sin(2 * x[:, 0]) * x[:, 1]).astype(np.float32)
    results = {name: run(name, x, y) for name in ("relu", "tanh", "swish")}
    for name, loss in results.items():
        print(f"{name:6s} {loss:.4f}")


if __name__ == "__main__":
    main()
