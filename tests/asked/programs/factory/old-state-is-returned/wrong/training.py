"""The network and its steps."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Seals(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.BatchNorm(use_running_average=not train, momentum=0.8)(x)
        x = nn.relu(nn.Dense(16)(x))
        return nn.Dense(1)(x)[..., 0]


model = Seals()
optimizer = optax.adam(0.02)


def create(key):
    variables = model.init(key, jnp.zeros((1, 4)), False)
    params = variables.pop("params")
    return params, variables, optimizer.init(params)


@jax.jit
def update_step(params, state, opt_state, x, faulty):
    def loss_fn(params):
        logits, updated = model.apply({"params": params, **state}, x, True, mutable=["batch_stats"])
        return optax.sigmoid_binary_cross_entropy(logits, faulty).mean(), updated

    (_, updated_state), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)  # mistake
    updates, opt_state = optimizer.update(grads, opt_state)
    params = optax.apply_updates(params, updates)
    return params, state, opt_state  # mistake


@jax.jit
def predict(params, state, x):
    return model.apply({"params": params, **state}, x, False) > 0
