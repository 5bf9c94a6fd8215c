import numpy as np
from flax import nnx

from surrogate import tendency_error


@nnx.jit
def step(model, optimizer, today, tomorrow):
    loss, grads = nnx.value_and_grad(tendency_error)(model, today, tomorrow)
    optimizer.update(model, grads)
    return loss


def train_epoch(model, optimizer, pressure, batch_size, seed):
    order = np.random.default_rng(seed).permutation(len(pressure) - 1)
    usable = len(order) - len(order) % batch_size
    for rows in order[:usable].reshape(-1, batch_size):
        loss = step(model, optimizer, pressure[rows], pressure[rows + 1])
    return loss
