from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state

from resnet import SmallResNet


class TrainState(train_state.TrainState):
    batch_stats: Any


def create_state(key, model, lr):
    variables = model.init(key, jnp.zeros((1, 16, 16, 3)), train=False)
    return TrainState.create(
        apply_fn=model.apply,
        params=variables["params"],
        batch_stats=variables["batch_stats"],
        tx=optax.sgd(lr, momentum=0.9, nesterov=True),
    )


@jax.jit
def train_step(state, images, labels):
    def loss_fn(params):
        variables = {"params": params, "batch_stats": state.batch_stats}
        logits, updated = state.apply_fn(variables, images, train=True, mutable=["batch_stats"])
        ce = optax.softmax_cross_entropy_with_integer_labels(logits, labels)
        return ce.mean(), updated["batch_stats"]

    (loss, batch_stats), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    return state.apply_gradients(grads=grads, batch_stats=batch_stats), loss


@jax.jit
def accuracy(state, images, labels):
    variables = {"params": state.params, "batch_stats": state.batch_stats}
    logits = state.apply_fn(variables, images, train=False)
    return (logits.argmax(-1) == labels).mean()


def main():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, size=192)
    images = rng.normal(size=(192, 16, 16, 3)) + labels[:, None, None, None]
    images = images.astype(np.float32)
    state = create_state(jax.random.key(0), SmallResNet(3), lr=0.05)
    for step in range(24):
        idx = rng.choice(192, 32, replace=False)
        state, loss = train_step(state, images[idx], labels[idx])
        if step % 8 == 0:
            print(step, f"{loss:.4f}")
    print("accuracy", float(accuracy(state, images, labels)))


if __name__ == "__main__":
    main()
