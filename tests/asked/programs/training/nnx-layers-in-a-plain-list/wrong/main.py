"""A stack of NNX layers."""
import jax
import jax.numpy as jnp
from flax import nnx


class Tower(nnx.Module):
    def __init__(self, width, depth, rngs):
        self.layers = [nnx.Linear(width, width, rngs=rngs) for _ in range(depth)]  # mistake
        self.head = nnx.Linear(width, 1, rngs=rngs)

    def __call__(self, x):
        for layer in self.layers:
            x = x + jnp.tanh(layer(x))
        return self.head(x)[..., 0]


@nnx.jit
def loss_and_grads(model, x):
    return nnx.value_and_grad(lambda model: jnp.mean((model(x) - x[..., 0]) ** 2))(model)


def main():
    model = Tower(4, 3, nnx.Rngs(0))
    x = jax.random.normal(jax.random.key(1), (16, 4))
    loss, grads = loss_and_grads(model, x)
    print(bool(jnp.isfinite(loss)), len(jax.tree.leaves(grads)))


if __name__ == "__main__":
    main()
