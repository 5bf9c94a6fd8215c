import jax.numpy as jnp
import optax
from flax import nnx


def loss_fn(model, states, actions, next_states):
    return jnp.mean((model(states, actions) - next_states) ** 2)


@nnx.jit
def train_step(model, optimizer, states, actions, next_states):
    loss, grads = nnx.value_and_grad(loss_fn)(model, states, actions, next_states)
    optimizer.update(model, grads)
    return loss


def fit(model, states, actions, next_states, epochs):
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
    losses = []
    for _ in range(epochs):
        losses.append(train_step(model, optimizer, states, actions, next_states))
    return [float(loss) for loss in losses]
