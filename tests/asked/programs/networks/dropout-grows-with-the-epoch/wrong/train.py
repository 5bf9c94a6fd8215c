"""Training with a rate of dropout that grows."""

from functools import partial

import jax
import optax


def rate_at(epoch, epochs, top=0.5):
    return top * epoch / epochs


@partial(jax.jit, static_argnames=("model", "optimizer"))
def step(model, optimizer, params, opt_state, batch, drop_rate, key):
    measures, labels = batch

    def loss_fn(params):
        logits = model.apply({"params": params}, measures, drop_rate, True, rngs={"dropout": key})  # mistake
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss
