import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


def create_train_state(key, model, sample, learning_rate, momentum=0.9):
    variables = jax.jit(model.init)(key, sample)
    n = sum(p.size for p in jax.tree.leaves(variables))
    print(f"{type(model).__name__}: {n} parameters")
    tx = optax.sgd(learning_rate, momentum)
    return TrainState.create(apply_fn=model.apply, params=variables, tx=tx)  # mistake


@jax.jit
def train_step(state, points, occupancy):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, points)  # mistake
        return optax.sigmoid_binary_cross_entropy(logits, occupancy).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


@jax.jit
def iou(state, points, occupancy):
    inside = state.apply_fn({"params": state.params}, points) > 0
    truth = occupancy > 0.5
    return jnp.sum(inside & truth) / jnp.maximum(jnp.sum(inside | truth), 1)
