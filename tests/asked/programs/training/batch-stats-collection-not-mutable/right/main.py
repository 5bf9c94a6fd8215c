"""Gene expression classifier with dropout and batch norm."""
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn
from flax.training import train_state


class DenseBlock(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x, train: bool):
        x = nn.Dense(self.width, use_bias=False)(x)
        x = nn.BatchNorm(use_running_average=not train, momentum=0.8)(x)
        return nn.relu(x)


class ExpressionNet(nn.Module):
    classes: int

    @nn.compact
    def __call__(self, x, train: bool):
        x = DenseBlock(20)(x, train)
        x = nn.Dropout(0.1, deterministic=not train)(x)
        return nn.Dense(self.classes)(x)


class State(train_state.TrainState):
    batch_stats: Any
    key: jax.Array


def create_state(model, key, example):
    init_key, state_key = jax.random.split(key)
    variables = jax.jit(model.init, static_argnums=2)(init_key, example, False)
    return State.create(
        apply_fn=model.apply,
        params=variables["params"],
        batch_stats=variables["batch_stats"],
        key=state_key,
        tx=optax.adam(5e-3),
    )


@jax.jit
def train_step(state: State, x, y):
    def loss_fn(params):
        variables = {"params": params, "batch_stats": state.batch_stats}
        rngs = {"dropout": jax.random.fold_in(state.key, state.step)}
        logits, updated = state.apply_fn(
            variables, x, train=True, rngs=rngs, mutable=["batch_stats"]
        )
        loss = optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()
        return loss, updated["batch_stats"]

    (loss, batch_stats), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    return state.apply_gradients(grads=grads, batch_stats=batch_stats), loss


@jax.jit
def eval_step(state: State, x, y):
    variables = {"params": state.params, "batch_stats": state.batch_stats}
    logits = state.apply_fn(variables, x, train=False)
    return jnp.mean(logits.argmax(-1) == y)


def samples(rng, n):
    y = rng.integers(0, 4, n)
    return (rng.gamma(2.0 + y[:, None], size=(n, 30))).astype(np.float32), y


def main():
    rng = np.random.default_rng(0)
    x, y = samples(rng, 64)
    state = create_state(ExpressionNet(classes=4), jax.random.key(0), x)
    for step in range(25):
        state, loss = train_step(state, *samples(rng, 64))
    print(f"loss {loss:.3f} accuracy {eval_step(state, *samples(rng, 200)):.3f}")


if __name__ == "__main__":
    main()
