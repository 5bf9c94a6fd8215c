"""CIFAR-like evaluation that reports the hardest examples by id."""
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn
from flax.training import train_state


class Net(nn.Module):
    @nn.compact
    def __call__(self, image):
        x = image.reshape((image.shape[0], -1))
        x = nn.relu(nn.Dense(24, name="hidden")(x))
        return nn.Dense(3, name="logits")(x)


class InMemoryDataset:
    """Mimics a tfds dataset read with batch_size=-1."""

    def __init__(self, split, n, seed):
        rng = np.random.default_rng(seed)
        label = rng.integers(0, 3, n)
        self.arrays = {
            "id": np.array([f"{split}_{i:05d}" for i in range(n)]),
            "image": (rng.normal(size=(n, 4, 4)) + label[:, None, None]).astype(np.float32),
            "label": label,
        }

    def batches(self, size, keys=("image", "label")):
        n = len(self.arrays["label"])
        for start in range(0, n - size + 1, size):
            yield {k: self.arrays[k][start : start + size] for k in keys}

    def full(self):
        return dict(self.arrays)


def cross_entropy(state, params, batch):
    logits = state.apply_fn({"params": params}, batch["image"])
    return optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"]), logits


@jax.jit
def train_step(state, batch):
    grads = jax.grad(lambda p: cross_entropy(state, p, batch)[0].mean())(state.params)
    return state.apply_gradients(grads=grads)


@jax.jit
def eval_step(state, batch):
    losses, logits = cross_entropy(state, state.params, batch)
    return {"loss": losses, "correct": logits.argmax(-1) == batch["label"]}


def main():
    train_ds = InMemoryDataset("train", 192, seed=0)
    test_ds = InMemoryDataset("test", 60, seed=1)
    model = Net()
    params = jax.jit(model.init)(jax.random.PRNGKey(0), jnp.ones((1, 4, 4)))["params"]
    state = train_state.TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-2))
    for _ in range(4):
        for batch in train_ds.batches(32):
            state = train_step(state, batch)

    test = test_ds.full()
    ids = test.pop("id")
    metrics = eval_step(state, test)
    print(f"accuracy {metrics['correct'].mean():.3f}")
    hardest = np.argsort(np.asarray(metrics["loss"]))[::-1][:3]
    print("hardest:", ", ".join(ids[hardest]))


if __name__ == "__main__":
    main()
