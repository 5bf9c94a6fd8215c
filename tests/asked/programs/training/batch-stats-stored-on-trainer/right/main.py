"""Image classifier trainer in the style of a PyTorch Lightning module."""
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn


class PatchNet(nn.Module):
    num_classes: int

    @nn.compact
    def __call__(self, x, train: bool):
        x = nn.Dense(8, use_bias=False)(x)
        x = nn.BatchNorm(use_running_average=not train, momentum=0.9)(x)
        x = nn.relu(x).mean(axis=1)
        return nn.Dense(self.num_classes)(x)


class Trainer:
    def __init__(self, model, example, lr=5e-3, seed=0):
        self.model = model
        self.tx = optax.adam(lr)
        init = jax.jit(model.init, static_argnames="train")
        variables = init(jax.random.PRNGKey(seed), example, train=False)
        self.params = variables["params"]
        self.batch_stats = variables["batch_stats"]
        self.opt_state = self.tx.init(self.params)
        self.history = []
        self._train_step = self._make_train_step()

    def _make_train_step(self):
        @jax.jit
        def train_step(params, batch_stats, opt_state, images, labels):
            def loss_fn(params):
                logits, mutated = self.model.apply(
                    {"params": params, "batch_stats": batch_stats},
                    images,
                    train=True,
                    mutable=["batch_stats"],
                )
                loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
                return loss, mutated["batch_stats"]

            (loss, new_stats), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)
            updates, opt_state = self.tx.update(grads, opt_state, params)
            return optax.apply_updates(params, updates), new_stats, opt_state, loss

        return train_step

    def fit(self, loader):
        for images, labels in loader:
            self.params, self.batch_stats, self.opt_state, loss = self._train_step(
                self.params, self.batch_stats, self.opt_state, images, labels
            )
            self.history.append(float(loss))

    def evaluate(self, images, labels):
        variables = {"params": self.params, "batch_stats": self.batch_stats}
        logits = self.model.apply(variables, images, train=False)
        return float(jnp.mean(logits.argmax(-1) == labels))


def make_data(rng, n):
    labels = rng.integers(0, 3, n)
    images = rng.normal(size=(n, 9, 4)) + labels[:, None, None]
    return images.astype(np.float32), labels


def main():
    rng = np.random.default_rng(0)
    loader = [make_data(rng, 16) for _ in range(12)]
    trainer = Trainer(PatchNet(3), loader[0][0])
    trainer.fit(loader)
    print(f"loss {trainer.history[0]:.3f} -> {trainer.history[-1]:.3f}")
    print(f"accuracy {trainer.evaluate(*make_data(rng, 64)):.2f}")


if __name__ == "__main__":
    main()
