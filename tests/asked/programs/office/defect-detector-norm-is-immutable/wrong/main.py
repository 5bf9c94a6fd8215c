import functools
from typing import Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state


class ConvBlock(nn.Module):
    features: int
    norm: Any

    @nn.compact
    def __call__(self, x):
        x = nn.Conv(self.features, (3, 3), use_bias=False)(x)
        x = nn.relu(self.norm()(x))
        return nn.avg_pool(x, (2, 2), strides=(2, 2))


class DefectDetector(nn.Module):
    stages: tuple[int, ...] = (8,)

    @nn.compact
    def __call__(self, images, train):
        norm = functools.partial(nn.BatchNorm, use_running_average=not train, momentum=0.9)
        x = images[..., None]
        for features in self.stages:
            x = ConvBlock(features, norm)(x)
        return nn.Dense(1)(x.mean(axis=(1, 2)))[:, 0]


class State(train_state.TrainState):
    batch_stats: Any


def camera_frames(n, seed):
    rng = np.random.default_rng(seed)
    frames = rng.normal(size=(n, 12, 12)).astype(np.float32)
    defect = rng.integers(0, 2, n)
    frames[defect == 1, 5:9, 5:9] += 2.0
    return frames, defect.astype(np.float32)


def create_state(key, model):
    variables = model.init(key, jnp.zeros((1, 12, 12)), train=False)
    return State.create(apply_fn=model.apply, params=variables["params"],
                        batch_stats=variables["batch_stats"], tx=optax.adamw(3e-3))


@jax.jit
def train_step(state, frames, labels):
    def loss_fn(params):
        variables = {"params": params, "batch_stats": state.batch_stats}
        logits = state.apply_fn(variables, frames, train=True)  # mistake
        return optax.sigmoid_binary_cross_entropy(logits, labels).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


@jax.jit
def accuracy(state, frames, labels):
    variables = {"params": state.params, "batch_stats": state.batch_stats}
    logits = state.apply_fn(variables, frames, train=False)
    return jnp.mean((logits > 0) == (labels > 0.5))


state = create_state(jax.random.key(0), DefectDetector())
for i in range(25):
    frames, labels = camera_frames(32, seed=i)
    state, loss = train_step(state, frames, labels)
print(f"loss {loss:.3f}, held-out accuracy {accuracy(state, *camera_frames(128, seed=999)):.3f}")
