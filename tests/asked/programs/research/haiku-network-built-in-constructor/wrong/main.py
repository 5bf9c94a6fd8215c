from typing import NamedTuple

import haiku as hk
import jax
import numpy as np
import optax

from modules import TabularNet


class Batch(NamedTuple):
    categorical: np.ndarray
    numeric: np.ndarray
    churned: np.ndarray


class ChurnModel:
    def __init__(self, cardinalities, hidden=(32, 16), learning_rate=5e-3):
        network = TabularNet(cardinalities, hidden)  # mistake

        def forward(categorical, numeric):
            return network(categorical, numeric)

        self.net = hk.without_apply_rng(hk.transform(forward))
        self.tx = optax.adam(learning_rate)
        self.update = jax.jit(self._update)

    def init(self, seed, batch):
        params = self.net.init(jax.random.key(seed), batch.categorical, batch.numeric)
        return params, self.tx.init(params)

    def loss(self, params, batch):
        logits = self.net.apply(params, batch.categorical, batch.numeric)
        return optax.sigmoid_binary_cross_entropy(logits, batch.churned).mean()

    def _update(self, params, opt_state, batch):
        loss, grads = jax.value_and_grad(self.loss)(params, batch)
        updates, opt_state = self.tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss


def customers(n, cardinalities, seed):
    rng = np.random.default_rng(seed)
    categorical = np.stack([rng.integers(0, c, n) for c in cardinalities], axis=1)
    numeric = rng.normal(size=(n, 5)).astype(np.float32)
    score = numeric[:, 0] - numeric[:, 1] + (categorical[:, 0] == 1)
    return Batch(categorical, numeric, (score > 0.3).astype(np.float32))


def main():
    cardinalities = (3, 7, 12)
    data = customers(512, cardinalities, seed=0)
    model = ChurnModel(cardinalities)
    params, opt_state = model.init(0, jax.tree.map(lambda a: a[:2], data))
    for epoch in range(5):
        for i in range(0, 512, 64):
            batch = jax.tree.map(lambda a: a[i : i + 64], data)
            params, opt_state, loss = model.update(params, opt_state, batch)
        print(f"epoch {epoch} bce {loss:.4f}")


if __name__ == "__main__":
    main()
