from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state

from tcn import TemporalConvNet


class TrainState(train_state.TrainState):
    batch_stats: Any


def windows(series: np.ndarray, context: int):
    stack = np.lib.stride_tricks.sliding_window_view(series, context + 1)
    return stack[:, :-1, None].astype(np.float32), stack[:, -1].astype(np.float32)


def create_state(key, context: int) -> TrainState:
    model = TemporalConvNet(channels=(8, 8))
    variables = model.init(key, jnp.zeros((1, context, 1)), train=False)
    return TrainState.create(
        apply_fn=model.apply,
        params=variables["params"],
        batch_stats=variables["batch_stats"],
        tx=optax.adam(3e-3),
    )


@jax.jit
def train_step(state: TrainState, x, y):
    def loss_fn(params):
        variables = {"params": params, "batch_stats": state.batch_stats}
        pred, updates = state.apply_fn(variables, x, train=True, mutable=["batch_stats"])
        return jnp.mean((pred - y) ** 2), updates["batch_stats"]

    (loss, batch_stats), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    state = state.apply_gradients(grads=grads)
    return state.replace(batch_stats=batch_stats), loss


@jax.jit
def eval_step(state, x, y):
    variables = {"params": state.params, "batch_stats": state.batch_stats}
    pred = state.apply_fn(variables, x, train=False)
    return jnp.sqrt(jnp.mean((pred - y) ** 2))


def main():
    t = np.arange(1200)
    series = np.sin(t / 9.0) + 0.4 * np.sin(t / 3.3) + 0.05 * np.random.default_rng(0).normal(size=t.size)
    x, y = windows(series, context=24)
    split, batch_size = 1000, 100
    state = create_state(jax.random.key(11), context=24)
    for epoch in range(8):
        for i in range(0, split, batch_size):
            state, loss = train_step(state, x[i : i + batch_size], y[i : i + batch_size])
        rmse = eval_step(state, x[split:], y[split:])
        print(f"epoch {epoch} train mse {float(loss):.4f} valid rmse {float(rmse):.4f}")


main()
