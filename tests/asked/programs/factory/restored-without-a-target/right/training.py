"""A regression with Flax and Optax."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(1)(nn.relu(nn.Dense(16)(x)))[..., 0]


def create():
    model = Model()
    params = model.init(jax.random.key(0), jnp.zeros((1, 3)))["params"]
    return TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(0.02))


def batch(number):
    x = jax.random.normal(jax.random.key(number), (64, 3))
    return x, x[:, 0] - 0.5 * x[:, 2]


@jax.jit
def train_step(state, x, y):
    def loss_fn(params):
        return jnp.mean((state.apply_fn({"params": params}, x) - y) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss
