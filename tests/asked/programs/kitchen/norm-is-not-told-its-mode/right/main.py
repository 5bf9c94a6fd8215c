from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state

from lesions import make_scans
from unet import SmallUNet


class TrainState(train_state.TrainState):
    batch_stats: Any


@jax.jit
def train_step(state, images, masks, key):
    def loss_fn(params):
        logits, updated = state.apply_fn(
            {"params": params, "batch_stats": state.batch_stats},
            images,
            train=True,
            mutable=["batch_stats"],
            rngs={"dropout": key},
        )
        loss = optax.sigmoid_binary_cross_entropy(logits, masks).mean()
        return loss, updated["batch_stats"]

    (loss, stats), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    return state.apply_gradients(grads=grads, batch_stats=stats), loss


@jax.jit
def dice(state, images, masks):
    variables = {"params": state.params, "batch_stats": state.batch_stats}
    predicted = state.apply_fn(variables, images, train=False) > 0
    overlap = jnp.sum(predicted * masks)
    return 2.0 * overlap / (jnp.sum(predicted) + jnp.sum(masks))


def main():
    rng = np.random.default_rng(0)
    init_key, train_key = jax.random.split(jax.random.key(0))
    model = SmallUNet()
    init = jax.jit(model.init, static_argnames="train")
    variables = init(init_key, jnp.zeros((1, 16, 16, 1)), train=False)
    state = TrainState.create(
        apply_fn=model.apply,
        params=variables["params"],
        batch_stats=variables["batch_stats"],
        tx=optax.adam(2e-2),
    )
    for key in jax.random.split(train_key, 12):
        images, masks = make_scans(rng, 8)
        state, loss = train_step(state, images, masks, key)
    images, masks = make_scans(rng, 8)
    print(f"loss {loss:.3f} dice {dice(state, images, masks):.3f}")


if __name__ == "__main__":
    main()
