from dataclasses import dataclass

import jax.numpy as jnp
import optax
from flax import nnx

from age_net import BoneAgeNet, squared_error


@dataclass
class EnsembleConfig:
    members: int = 4
    width: int = 6
    lr: float = 3e-3
    seed: int = 42


@nnx.jit
def train_step(model, optimizer, images, ages):
    loss, grads = nnx.value_and_grad(squared_error)(model, images, ages)
    optimizer.update(model, grads)
    return loss


class DeepEnsemble:
    def __init__(self, config: EnsembleConfig):
        self.models = []
        self.optimizers = []
        for index in range(config.members):
            model = BoneAgeNet(config.width, rngs=nnx.Rngs(config.seed + index))
            self.models.append(model)
            self.optimizers.append(nnx.Optimizer(model, optax.adam(config.lr), wrt=nnx.Param))

    def fit_batch(self, images, ages):
        pairs = zip(self.models, self.optimizers)
        return [train_step(model, opt, images, ages) for model, opt in pairs]

    def predict(self, images):
        predictions = jnp.stack([model(images) for model in self.models])
        return predictions.mean(axis=0), predictions.std(axis=0)
