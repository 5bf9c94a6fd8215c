import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx


def loss_fn(model, x, y):
    return optax.softmax_cross_entropy_with_integer_labels(model(x), y).mean()


@nnx.jit
def train_step(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(loss_fn)(model, x, y)
    optimizer.update(model, grads)
    return loss


@nnx.jit
def predict_probs(model, x):
    return nnx.softmax(model(x))


def fit_epoch(model, optimizer, data, batch_size, seed):
    x, y = data
    order = np.random.default_rng(seed).permutation(len(x))
    losses = []
    for i in range(0, len(x), batch_size):
        idx = order[i : i + batch_size]
        losses.append(train_step(model, optimizer, x[idx], y[idx]))
    return float(jnp.stack(losses).mean())


def accuracy(model, x, y):
    probs = predict_probs(model, x)  # mistake
    return float(jnp.mean(probs.argmax(-1) == y))
