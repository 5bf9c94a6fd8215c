"""Fit PropertyNet on descriptor vectors."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training.train_state import TrainState

from model import PropertyNet


def load_split(seed, n):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 12)).astype(np.float32)
    return x, np.tanh(x[:, 0]) - 0.3 * x[:, 5]


@jax.jit  # mistake
def run_step(state, key, x, y, training=True):
    def loss_fn(params):
        pred = state.apply_fn({"params": params}, x, training, rngs={"dropout": key})
        return jnp.mean((pred - y) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    if state.opt_state is not None:
        state = state.apply_gradients(grads=grads)
    return state, loss


def main():
    model = PropertyNet()
    init_key, loop_key = jax.random.split(jax.random.key(0))
    x, y = load_split(0, 96)
    params = jax.jit(model.init, static_argnums=2)(init_key, x[:1], False)["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adamw(3e-3))
    for step in range(20):
        key = jax.random.fold_in(loop_key, step)
        state, loss = run_step(state, key, x, y, training=True)
    val_x, val_y = load_split(1, 32)
    val = jnp.mean((model.apply({"params": state.params}, val_x, False) - val_y) ** 2)
    print(f"train {loss:.4f} val {val:.4f}")


if __name__ == "__main__":
    main()
