from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


class TextureNet(nn.Module):
    num_classes: int
    width: int

    @nn.compact
    def __call__(self, x, train: bool):
        for scale in (1, 2):
            x = nn.Conv(self.width * scale, (3, 3), strides=(2, 2), use_bias=False)(x)
            x = nn.relu(nn.BatchNorm(use_running_average=not train, momentum=0.9)(x))
        return nn.Dense(self.num_classes)(x.mean(axis=(1, 2)))


class TrainState(train_state.TrainState):
    batch_stats: Any


def create_state(key, cfg) -> TrainState:
    model = TextureNet(cfg.num_classes, cfg.width)
    variables = model.init(key, jnp.zeros((1, 16, 16, 1)), train=False)
    return TrainState.create(apply_fn=model.apply, tx=optax.adam(cfg.learning_rate), **variables)


@jax.jit
def train_step(state: TrainState, images, labels):
    def loss_fn(params):
        logits, mutated = state.apply_fn(
            {"params": params, "batch_stats": state.batch_stats}, images, train=True, mutable=["batch_stats"]
        )
        loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
        return loss, (logits, mutated)

    (loss, (logits, mutated)), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)  # mistake
    state = state.apply_gradients(grads=grads)  # mistake
    return state, {"loss": loss, "accuracy": jnp.mean(logits.argmax(-1) == labels)}


@jax.jit
def eval_step(state, images, labels):
    variables = {"params": state.params, "batch_stats": state.batch_stats}
    logits = state.apply_fn(variables, images, train=False)
    return logits.argmax(-1) == labels
