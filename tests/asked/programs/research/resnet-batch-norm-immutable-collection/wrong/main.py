from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state

from resnet import TinyResNet


@dataclass(frozen=True)
class Config:
    batch_size: int = 32
    learning_rate: float = 0.05
    num_steps: int = 12
    seed: int = 0


class TrainState(train_state.TrainState):
    batch_stats: Any


def synthetic_images(config):
    rng = np.random.default_rng(config.seed)
    while True:
        label = rng.integers(0, 4, config.batch_size)
        image = rng.normal(size=(config.batch_size, 8, 8, 3)) * 0.3
        image[np.arange(config.batch_size), :, :, label % 3] += label[:, None, None] * 0.5
        yield {"image": image.astype(np.float32), "label": label}


def create_state(config):
    model = TinyResNet((4,), num_classes=4)
    init = jax.jit(model.init, static_argnames="train")
    variables = init(jax.random.key(config.seed), jnp.zeros((1, 8, 8, 3)), train=False)
    return TrainState.create(
        apply_fn=model.apply,
        params=variables["params"],
        batch_stats=variables["batch_stats"],
        tx=optax.sgd(config.learning_rate, momentum=0.9),
    )


@jax.jit
def train_step(state: TrainState, batch):
    def loss_fn(params):
        variables = {"params": params, "batch_stats": state.batch_stats}
        logits = state.apply_fn(variables, batch["image"], train=True)  # mistake
        loss = optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"]).mean()
        return loss, logits

    (loss, logits), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    state = state.apply_gradients(grads=grads)
    accuracy = jnp.mean(jnp.argmax(logits, -1) == batch["label"])
    return state, {"loss": loss, "accuracy": accuracy}


def main():
    config = Config()
    state = create_state(config)
    stream = synthetic_images(config)
    for step in range(config.num_steps):
        state, metrics = train_step(state, next(stream))
        if (step + 1) % 4 == 0:
            print(step + 1, {k: round(float(v), 4) for k, v in metrics.items()})


if __name__ == "__main__":
    main()
