"""Fit digits made of noise around ten centres."""
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training.train_state import TrainState

from model import Classifier


def batches(n, size=32):
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(10, 12))
    for _ in range(n):
        labels = rng.integers(0, 10, size)
        yield (centres[labels] + 0.1 * rng.normal(size=(size, 12))).astype(np.float32), labels


def create_state(key):
    model = Classifier(classes=10)
    variables = model.init(key, jnp.ones((1, 12)), train=False)
    return TrainState.create(apply_fn=model.apply, params=variables["params"], tx=optax.adam(1e-2))


@jax.jit
def train_step(state, x, labels, key):
    def loss_fn(params):
        logits = state.apply_fn({"params": params}, x, train=True, rngs={"dropout": key})
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def main():
    key_init, key = jax.random.split(jax.random.key(0))
    state = create_state(key_init)
    for step, (x, labels) in enumerate(batches(60)):
        state, loss = train_step(state, x, labels, jax.random.fold_in(key, step))
    print("steps", int(state.step), "loss below 1:", float(loss) < 1.0)


if __name__ == "__main__":
    main()
