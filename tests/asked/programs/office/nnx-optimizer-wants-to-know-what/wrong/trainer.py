import numpy as np
import optax
from flax import nnx

from models import poisson_loss


class Trainer:
    def __init__(self, model: nnx.Module, learning_rate: float, total_steps: int):
        schedule = optax.cosine_decay_schedule(learning_rate, total_steps)
        self.model = model
        self.optimizer = nnx.Optimizer(model, optax.adamw(schedule))  # mistake

    @staticmethod
    @nnx.jit
    def _step(model, optimizer, batch):
        loss, grads = nnx.value_and_grad(poisson_loss)(model, batch)
        optimizer.update(model, grads)
        return loss

    def fit(self, batches):
        self.model.train()
        losses = [self._step(self.model, self.optimizer, batch) for batch in batches]
        return np.asarray([np.asarray(loss) for loss in losses])
