from typing import Any

import jax
import optax
from flax.training import train_state


class NormState(train_state.TrainState):
    batch_stats: Any


def create(model, key, example, lr):
    variables = model.init(key, example, train=False)
    return NormState.create(
        apply_fn=model.apply,
        params=variables["params"],
        batch_stats=variables["batch_stats"],
        tx=optax.adam(lr),
    )


@jax.jit
def train_step(state, batch):
    def loss_fn(params):
        logits, updated = state.apply_fn(
            {"params": params, "batch_stats": state.batch_stats},
            batch["x"], train=True, mutable=["batch_stats"],
        )
        loss = optax.softmax_cross_entropy_with_integer_labels(logits, batch["y"]).mean()
        return loss, updated

    (loss, updated), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    return state.apply_gradients(grads=grads, batch_stats=updated["batch_stats"]), loss


@jax.jit
def eval_step(state, batch):
    logits = state.apply_fn({"params": state.params, "batch_stats": state.batch_stats}, batch["x"], train=False)
    return (logits.argmax(-1) == batch["y"]).mean()
