"""Review sentiment classifier on bag-of-words features."""
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn
from flax.training import train_state


class SentimentMLP(nn.Module):
    hidden: int = 32
    rate: float = 0.5

    @nn.compact
    def __call__(self, x, train: bool):
        x = nn.relu(nn.Dense(self.hidden)(x))
        x = nn.Dropout(self.rate, deterministic=not train)(x)
        if train:
            self.sow("intermediates", "kept", x != 0)
        return nn.Dense(2)(x)


def make_batches(n_batches: int, batch_size: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    w = rng.normal(size=(20,))
    for _ in range(n_batches):
        x = rng.poisson(1.0, size=(batch_size, 20)).astype(np.float32)
        y = (x @ w > 0).astype(np.int32)
        yield {"tokens": x, "label": y}


@jax.jit
def train_step(state: train_state.TrainState, batch: dict[str, Any], dropout_key):
    def loss_fn(params):
        logits, aux = state.apply_fn(
            {"params": params},
            batch["tokens"],
            train=True,
            rngs={"dropout": dropout_key},  # mistake
            mutable=["intermediates"],
        )
        loss = optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"])
        return loss.mean(), aux["intermediates"]["kept"][0]

    (loss, kept), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    return state.apply_gradients(grads=grads), loss, kept


def main():
    init_key, dropout_key = jax.random.split(jax.random.PRNGKey(7))
    model = SentimentMLP()
    init = jax.jit(model.init, static_argnames="train")
    params = init(init_key, jnp.ones((1, 20)), train=False)["params"]
    state = train_state.TrainState.create(
        apply_fn=model.apply, params=params, tx=optax.adam(1e-2)
    )

    ever_kept = np.zeros((16, model.hidden), bool)
    for step, batch in enumerate(make_batches(30, 16)):
        state, loss, kept = train_step(state, batch, dropout_key)  # mistake
        ever_kept |= np.asarray(kept)
        if step % 10 == 9:
            print(f"step {step + 1}: loss {float(loss):.3f}")
    print(f"activations seen at least once: {ever_kept.mean():.2f}")


if __name__ == "__main__":
    main()
