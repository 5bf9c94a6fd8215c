from typing import Any

import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


class BNState(TrainState):
    batch_stats: Any


def loss_and_stats(params, state, x, y):
    logits, mutated = state.apply_fn(
        {"params": params, "batch_stats": state.batch_stats},
        x,
        train=True,
        mutable=["batch_stats"],
    )
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()
    return loss, mutated["batch_stats"]


@jax.jit
def train_step(state: BNState, x, y):
    grad_fn = jax.value_and_grad(loss_and_stats, has_aux=True)
    (loss, batch_stats), grads = grad_fn(state.params, state, x, y)
    return state.apply_gradients(grads=grads, batch_stats=batch_stats), loss


@jax.jit
def evaluate(state: BNState, x, y):
    variables = {"params": state.params, "batch_stats": state.batch_stats}
    logits = state.apply_fn(variables, x, train=False)
    return jnp.mean(logits.argmax(-1) == y)
