"""Energy demand regression with a reduce-on-plateau trainer."""
import functools

import jax
import jax.numpy as jnp
import numpy as np


def init_mlp(key, sizes):
    params = []
    for fan_in, fan_out in zip(sizes[:-1], sizes[1:]):
        key, sub = jax.random.split(key)
        params.append(
            {"w": jax.random.normal(sub, (fan_in, fan_out)) / np.sqrt(fan_in), "b": jnp.zeros(fan_out)}
        )
    return params


def predict(params, x):
    for layer in params[:-1]:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return (x @ params[-1]["w"] + params[-1]["b"])[:, 0]


def mse(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2)


class PlateauTrainer:
    def __init__(self, lr=0.2, factor=0.5, patience=1, weight_decay=1e-4):
        self.lr = lr
        self.factor = factor
        self.patience = patience
        self.weight_decay = weight_decay
        self.best = float("inf")
        self.bad_epochs = 0

    @functools.partial(jax.jit, static_argnums=0)
    def step(self, params, x, y, lr):
        loss, grads = jax.value_and_grad(mse)(params, x, y)
        new_params = jax.tree.map(
            lambda p, g: p - lr * (g + self.weight_decay * p), params, grads
        )
        return new_params, loss

    def on_epoch_end(self, val_loss):
        if val_loss < self.best * 0.99:
            self.best, self.bad_epochs = val_loss, 0
            return
        self.bad_epochs += 1
        if self.bad_epochs >= self.patience:
            self.lr *= self.factor
            self.bad_epochs = 0

    def fit(self, params, train, val, epochs):
        for epoch in range(epochs):
            for x, y in train:
                params, _ = self.step(params, x, y, self.lr)
            val_loss = float(mse(params, *val))
            self.on_epoch_end(val_loss)
            if epoch % 10 == 9:
                print(f"epoch {epoch + 1:2d} lr {self.lr:.4f} val {val_loss:.5f}")
        return params


def main():
    rng = np.random.default_rng(1)
    x = rng.uniform(-2, 2, size=(160, 3)).astype(np.float32)
    y = np.sin(2 * x[:, 0]) + 0.5 * x[:, 1] * x[:, 2] + 0.1 * rng.normal(size=160).astype(np.float32)
    train = [(x[i : i + 16], y[i : i + 16]) for i in range(0, 128, 16)]
    trainer = PlateauTrainer()
    trainer.fit(init_mlp(jax.random.PRNGKey(0), [3, 24, 1]), train, (x[128:], y[128:]), epochs=40)


if __name__ == "__main__":
    main()
