"""Fit a polynomial."""
import jax
import jax.numpy as jnp
import numpy as np

from progress import report


def design(x, degree=3):
    return jnp.stack([x**k for k in range(degree + 1)], axis=-1)


@jax.jit
def epoch_step(weights, epoch, x, y):
    def loss_fn(weights):
        return jnp.mean((design(x) @ weights - y) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(weights)
    report(epoch, loss)  # mistake
    return weights - 0.2 * grads


def main():
    x = np.linspace(-1.0, 1.0, 40).astype(np.float32)
    weights = jnp.zeros(4)
    for epoch in range(4):
        weights = epoch_step(weights, epoch, x, x**3 - x)
    print(weights.shape)


if __name__ == "__main__":
    main()
