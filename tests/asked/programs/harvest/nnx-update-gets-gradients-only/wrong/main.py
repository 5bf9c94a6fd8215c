import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Surrogate(nnx.Module):
    """Predicts the lift of a wing from angle and speed."""

    def __init__(self, hidden, *, rngs):
        self.first = nnx.Linear(2, hidden, rngs=rngs)
        self.second = nnx.Linear(hidden, hidden, rngs=rngs)
        self.out = nnx.Linear(hidden, 1, rngs=rngs)

    def __call__(self, x):
        x = nnx.silu(self.first(x))
        x = nnx.silu(self.second(x))
        return self.out(x)[..., 0]


def lift(x):
    angle, speed = x[..., 0], x[..., 1]
    return jnp.sin(3.0 * angle) * speed**2


@nnx.jit
def train_step(model, optimizer, x, y):
    def loss_fn(model):
        return jnp.mean((model(x) - y) ** 2)

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(grads)  # mistake
    return loss


def main():
    x = jax.random.uniform(jax.random.key(5), (256, 2), minval=-0.5, maxval=1.0)
    y = lift(x)
    model = Surrogate(hidden=32, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
    for step in range(90):
        loss = train_step(model, optimizer, x, y)
        if step % 30 == 29:
            print("step", step + 1, "loss", round(float(loss), 4))
    sample = jnp.array([[0.2, 0.8], [0.6, 0.5]])
    print("error", [round(value, 2) for value in (model(sample) - lift(sample)).tolist()])


if __name__ == "__main__":
    main()
