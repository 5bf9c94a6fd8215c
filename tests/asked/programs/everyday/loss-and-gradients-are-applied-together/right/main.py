"""Fit a line with a TrainState."""
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


class Line(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(1)(x)[:, 0]


def mse(params, apply_fn, x, y):
    return jnp.mean((apply_fn({"params": params}, x) - y) ** 2)


@jax.jit
def train_step(state, x, y):
    loss, grads = jax.value_and_grad(mse)(state.params, state.apply_fn, x, y)
    return state.apply_gradients(grads=grads)


def main():
    x = jax.random.normal(jax.random.key(0), (100, 3))
    y = x @ jnp.array([1.0, -2.0, 0.5])
    model = Line()
    params = model.init(jax.random.key(1), x)["params"]
    state = train_state.TrainState.create(apply_fn=model.apply, params=params, tx=optax.sgd(0.1))
    for _ in range(100):
        state = train_step(state, x, y)
    print(float(mse(state.params, state.apply_fn, x, y)) < 1e-2)


if __name__ == "__main__":
    main()
