from typing import Any

import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


class BNState(TrainState):
    batch_stats: Any


def loss_and_stats(params, state, x, y):
    logits, _ = state.apply_fn(  # mistake
        {"params": params, "batch_stats": state.batch_stats},
        x,
        train=True,
        mutable=["batch_stats"],
    )
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()
    return loss


@jax.jit
def train_step(state: BNState, x, y):
    loss, grads = jax.value_and_grad(loss_and_stats)(state.params, state, x, y)
    return state.apply_gradients(grads=grads), loss


@jax.jit
def evaluate(state: BNState, x, y):
    variables = {"params": state.params, "batch_stats": state.batch_stats}
    logits = state.apply_fn(variables, x, train=False)
    return jnp.mean(logits.argmax(-1) == y)
