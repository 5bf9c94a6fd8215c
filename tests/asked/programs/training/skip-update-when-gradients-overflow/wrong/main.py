"""Language-model-like training with loss scaling and skipped updates."""
import dataclasses
from typing import Any

import flax
import jax
import jax.numpy as jnp
import numpy as np
import optax


@dataclasses.dataclass(frozen=True)
class Precision:
    compute: Any = jnp.float16
    params: Any = jnp.float32
    initial_scale: float = 2.0**10


@flax.struct.dataclass
class State:
    params: Any
    opt_state: Any
    loss_scale: jax.Array
    skipped: jax.Array


PRECISION = Precision()
tx = optax.adamw(2e-2, weight_decay=1e-3)


def cast(tree, dtype):
    return jax.tree.map(
        lambda x: x.astype(dtype) if jnp.issubdtype(x.dtype, jnp.floating) else x, tree
    )


def scaled_loss(params, batch, scale):
    p = cast(params, PRECISION.compute)
    x = batch["x"].astype(PRECISION.compute)
    logits = jnp.tanh(x @ p["w1"]) @ p["w2"]
    loss = optax.softmax_cross_entropy_with_integer_labels(
        logits.astype(jnp.float32), batch["y"]
    ).mean()
    return loss * scale, loss


def apply_or_skip(state: State, grads) -> State:
    """Applies the update unless the gradients overflowed."""
    updates, opt_state = tx.update(grads, state.opt_state, state.params)
    candidate = state.replace(
        params=optax.apply_updates(state.params, updates), opt_state=opt_state
    )
    fallback = state.replace(loss_scale=state.loss_scale / 2, skipped=state.skipped + 1)
    finite = jnp.isfinite(optax.global_norm(grads))
    if finite:  # mistake
        return candidate
    return fallback


@jax.jit
def train_step(state: State, batch):
    grads, loss = jax.grad(scaled_loss, has_aux=True)(state.params, batch, state.loss_scale)
    grads = jax.tree.map(lambda g: g / state.loss_scale, grads)
    return apply_or_skip(state, grads), loss


def main():
    rng = np.random.default_rng(0)
    params = cast({"w1": jnp.asarray(rng.normal(size=(8, 16)) / 3), "w2": jnp.zeros((16, 4))}, PRECISION.params)
    state = State(params, tx.init(params), jnp.float32(PRECISION.initial_scale), jnp.int32(0))
    for step in range(30):
        y = rng.integers(0, 4, 32)
        x = rng.normal(size=(32, 8)) + y[:, None] * 0.4
        state, loss = train_step(state, {"x": x.astype(np.float32), "y": y})
        if not np.isfinite(loss):
            raise RuntimeError(f"loss diverged at step {step}")
    print(f"loss {loss:.3f}, skipped {int(state.skipped)}")


if __name__ == "__main__":
    main()
