"""Predict the area of rectangles."""
import equinox as eqx
import jax
import jax.numpy as jnp

from nets import Regressor


@eqx.filter_jit
def loss_fn(model, sides):
    predicted = model(sides)[:, 0]  # mistake
    return jnp.mean((predicted - sides[:, 0] * sides[:, 1]) ** 2)


def main():
    k_model, k_data = jax.random.split(jax.random.key(0))
    model = Regressor([2, 16, 1], k_model)
    sides = jax.random.uniform(k_data, (50, 2))
    first = float(loss_fn(model, sides))
    for _ in range(60):
        grads = eqx.filter_grad(loss_fn)(model, sides)
        model = eqx.apply_updates(model, jax.tree.map(lambda g: -0.1 * g, grads))
    print("improved:", float(loss_fn(model, sides)) < first)


if __name__ == "__main__":
    main()
