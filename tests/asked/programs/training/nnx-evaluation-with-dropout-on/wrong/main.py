"""Train and evaluate an NNX model."""
import jax
import jax.numpy as jnp
import optax
from flax import nnx

from model import Net


@nnx.jit
def train_step(model, optimizer, x, y):
    def loss_fn(model):
        return jnp.mean((model(x) - y) ** 2)

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


@nnx.jit
def predict(model, x):
    return model(x)


def main():
    model = Net(nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
    x = jax.random.normal(jax.random.key(0), (40, 3))
    model.train()
    for _ in range(20):
        train_step(model, optimizer, x, x[:, 0])
    first, second = predict(model, x), predict(model, x)  # mistake
    print("predictions are the same:", bool(jnp.all(first == second)))


if __name__ == "__main__":
    main()
