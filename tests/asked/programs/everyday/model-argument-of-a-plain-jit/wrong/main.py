"""Fit a curve with NNX."""
import jax
import jax.numpy as jnp
import optax
from flax import nnx

from curve import Curve


@jax.jit  # mistake
def train_step(model, optimizer, x, y):
    def loss_fn(model):
        return jnp.mean((model(x) - y) ** 2)

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)  # mistake
    return loss


def main():
    model = Curve(nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
    x = jnp.linspace(-2.0, 2.0, 64)[:, None]
    y = jnp.sin(2 * x)
    first = float(train_step(model, optimizer, x, y))
    for _ in range(100):
        loss = train_step(model, optimizer, x, y)
    print("improves", float(loss) < first)


if __name__ == "__main__":
    main()
