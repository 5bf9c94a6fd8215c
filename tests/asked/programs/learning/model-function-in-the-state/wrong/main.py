"""Train a model."""
import jax
import jax.numpy as jnp
import optax

import model
from state import State


@jax.jit
def train_step(state, x, y):
    def loss_fn(params):
        return jnp.mean((state.forward(params, x) - y) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    updates, opt_state = state.optimizer.update(grads, state.opt_state)
    params = optax.apply_updates(state.params, updates)
    return state.replace(params=params, opt_state=opt_state, step=state.step + 1), loss


if __name__ == "__main__":
    x = jax.random.normal(jax.random.key(0), (16, 3))
    params = model.init(jax.random.key(1), 3, 8)
    optimizer = optax.sgd(0.1)
    state = State(params, optimizer.init(params), 0, model.forward, optimizer)
    for _ in range(4):
        state, loss = train_step(state, x, x[:, 0])  # mistake
    print("steps", int(state.step), "loss", bool(loss > 0.0))
