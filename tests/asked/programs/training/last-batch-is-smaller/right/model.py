"""A network as a module of Equinox, and its step."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax

optimizer = optax.adam(1e-2)


def create(key):
    model = eqx.nn.MLP(4, "scalar", 16, 1, key=key)
    return model, optimizer.init(eqx.filter(model, eqx.is_inexact_array))


def loss(model, x, y):
    return jnp.mean((jax.vmap(model)(x) - y) ** 2)


@eqx.filter_jit
def train_step(model, opt_state, x, y):
    value, grads = eqx.filter_value_and_grad(loss)(model, x, y)
    updates, opt_state = optimizer.update(grads, opt_state)
    return eqx.apply_updates(model, updates), opt_state, value
