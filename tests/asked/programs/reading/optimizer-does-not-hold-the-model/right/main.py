"""Predict the next letter of a name."""

import jax.numpy as jnp
import optax
from flax import nnx

from letters import CONTEXT, LETTERS, examples


class Namer(nnx.Module):
    def __init__(self, width, rngs):
        self.embed = nnx.Embed(LETTERS, width, rngs=rngs)
        self.hidden = nnx.Linear(CONTEXT * width, 32, rngs=rngs)
        self.head = nnx.Linear(32, LETTERS, rngs=rngs)

    def __call__(self, context):
        x = self.embed(context).reshape((context.shape[0], -1))
        return self.head(nnx.relu(self.hidden(x)))


def loss_fn(model, context, target):
    return optax.softmax_cross_entropy_with_integer_labels(model(context), target).mean()


@nnx.jit
def train_step(model, optimizer, context, target):
    loss, grads = nnx.value_and_grad(loss_fn)(model, context, target)
    optimizer.update(model, grads)
    return loss


def main():
    context, target = examples()
    model = Namer(8, nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(0.02), wrt=nnx.Param)
    losses = [float(train_step(model, optimizer, context, target)) for _ in range(60)]
    guess = jnp.argmax(model(context), axis=-1)
    print("loss falls:", losses[-1] < 0.5 * losses[0])
    print("half of the letters are right:", bool(jnp.mean(guess == target) > 0.5))


if __name__ == "__main__":
    main()
