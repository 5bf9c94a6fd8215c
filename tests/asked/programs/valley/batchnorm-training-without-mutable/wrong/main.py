from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state

from resnet import SmallResNet


class TrainState(train_state.TrainState):
    batch_stats: Any


def create_state(rng, lr=2e-3):
    model = SmallResNet(num_classes=3)
    init = jax.jit(partial(model.init, train=False))
    variables = init(rng, jnp.zeros((1, 12, 12, 1)))
    return TrainState.create(
        apply_fn=model.apply,
        params=variables["params"],
        batch_stats=variables["batch_stats"],
        tx=optax.adam(lr),
    )


@jax.jit
def train_step(state, images, labels):
    def loss_fn(params):
        variables = {"params": params, "batch_stats": state.batch_stats}
        logits = state.apply_fn(variables, images, train=True)  # mistake
        loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
        return loss, state.batch_stats

    (loss, stats), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    return state.apply_gradients(grads=grads, batch_stats=stats), loss


@jax.jit
def predict(state, images):
    variables = {"params": state.params, "batch_stats": state.batch_stats}
    return state.apply_fn(variables, images, train=False).argmax(-1)


def make_images(rng, n):
    labels = rng.integers(0, 3, size=n)
    images = 0.3 * rng.normal(size=(n, 12, 12, 1))
    for i, lab in enumerate(labels):
        images[i, 4 * lab : 4 * lab + 4] += 1.0
    return images.astype(np.float32), labels.astype(np.int32)


def main():
    rng = np.random.default_rng(0)
    state = create_state(jax.random.PRNGKey(0))
    for step in range(40):
        state, loss = train_step(state, *make_images(rng, 32))
        if step % 10 == 0:
            print(step, float(loss))
    images, labels = make_images(rng, 64)
    print("accuracy", np.mean(np.asarray(predict(state, images)) == labels))


if __name__ == "__main__":
    main()
