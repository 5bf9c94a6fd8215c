import dataclasses

import jax.numpy as jnp
import numpy as np
from flax import nnx


@nnx.jit
def train_step(model, optimizer, batch):
    def loss_fn(model):
        predicted = model(batch["user"], batch["item"])
        return jnp.mean((predicted - batch["rating"]) ** 2)

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


@dataclasses.dataclass
class Trainer:
    model: nnx.Module
    optimizer: nnx.Optimizer
    batch_size: int = 256

    def run(self, ratings, epochs, seed=0):
        rng = np.random.default_rng(seed)
        for epoch in range(epochs):
            order = rng.permutation(len(ratings["rating"])).reshape(-1, self.batch_size)
            losses = [
                train_step(self.model, self.optimizer, {k: v[rows] for k, v in ratings.items()})
                for rows in order
            ]
            print(f"epoch {epoch}: mse {np.mean(losses):.3f}")
