"""Sound event detector in Flax NNX."""
from collections.abc import Iterator

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx


class Block(nnx.Module):
    def __init__(self, din: int, dout: int, rate: float, rngs: nnx.Rngs):
        self.linear = nnx.Linear(din, dout, rngs=rngs)
        self.norm = nnx.BatchNorm(dout, momentum=0.9, rngs=rngs)
        self.dropout = nnx.Dropout(rate, rngs=rngs)

    def __call__(self, x):
        return self.dropout(nnx.relu(self.norm(self.linear(x))))


class Detector(nnx.Module):
    def __init__(self, features: int, events: int, rngs: nnx.Rngs):
        self.block = Block(features, 16, 0.2, rngs)
        self.head = nnx.Linear(16, events, rngs=rngs)

    def __call__(self, x):
        return self.head(self.block(x))


def batches(n: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(seed)
    for _ in range(n):
        x = rng.normal(size=(32, 10)).astype(np.float32)
        yield x, (x[:, :4] + 0.5 * x[:, 4:8] > 0).astype(np.float32)


def make_train_step(model: Detector, optimizer: nnx.Optimizer):
    def loss_fn(model, x, y):
        return optax.sigmoid_binary_cross_entropy(model(x), y).mean()

    @jax.jit  # mistake
    def train_step(x, y):
        loss, grads = nnx.value_and_grad(loss_fn)(model, x, y)  # mistake
        optimizer.update(model, grads)
        return loss

    return train_step


def evaluate(model, x, y):
    model.eval()
    f1_inputs = (np.asarray(model(x)) > 0) == (y > 0.5)
    model.train()
    return f1_inputs.mean()


def main():
    model = Detector(10, 4, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
    train_step = make_train_step(model, optimizer)
    for step, (x, y) in enumerate(batches(30, seed=0)):
        loss = train_step(x, y)
        if step % 10 == 0:
            print(f"step {step} loss {loss:.3f}")
    print(f"accuracy {evaluate(model, *next(batches(1, seed=9))):.3f}")


if __name__ == "__main__":
    main()
