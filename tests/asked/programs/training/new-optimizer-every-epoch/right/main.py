"""Digits classifier whose learning rate is lowered once per epoch."""
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn
from flax.training.train_state import TrainState


@dataclasses.dataclass
class TrainConfig:
    epochs: int = 4
    batch_size: int = 32
    base_lr: float = 0.1
    decay: float = 0.7


class Classifier(nn.Module):
    features: tuple[int, ...] = (32, 10)

    @nn.compact
    def __call__(self, x):
        for width in self.features[:-1]:
            x = nn.gelu(nn.Dense(width)(x))
        return nn.Dense(self.features[-1])(x)


def fake_digits(seed, n):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 10, n)
    centers = np.random.default_rng(99).normal(size=(10, 16))
    return (centers[labels] + rng.normal(size=(n, 16))).astype(np.float32), labels


def create_state(cfg, key, steps_per_epoch):
    model = Classifier()
    params = jax.jit(model.init)(key, jnp.zeros((1, 16)))["params"]
    return TrainState.create(
        apply_fn=model.apply,
        params=params,
        tx=optax.sgd(
            optax.exponential_decay(cfg.base_lr, steps_per_epoch, cfg.decay, staircase=True)
        ),
    )


@jax.jit
def train_step(state, x, y):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, x)
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def train_epoch(state, x, y, cfg):
    losses = []
    for start in range(0, len(x), cfg.batch_size):
        stop = start + cfg.batch_size
        state, loss = train_step(state, x[start:stop], y[start:stop])
        losses.append(loss)
    return state, jnp.stack(losses).mean()


def main():
    cfg = TrainConfig()
    x, y = fake_digits(0, 256)
    state = create_state(cfg, jax.random.PRNGKey(0), len(x) // cfg.batch_size)
    for _ in range(cfg.epochs):
        state, loss = train_epoch(state, x, y, cfg)
    print(f"final loss {loss:.3f} after {int(state.step)} steps")
    print("compiled train_step", train_step._cache_size(), "times")


if __name__ == "__main__":
    main()
