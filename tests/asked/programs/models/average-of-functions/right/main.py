"""Train a network and follow it with a moving average."""
import equinox as eqx
import jax
import jax.numpy as jnp

from average import distance, moving_average


@eqx.filter_jit
def step(model, x, y):
    grads = eqx.filter_grad(lambda m: jnp.mean((jax.vmap(m)(x)[:, 0] - y) ** 2))(model)
    return eqx.apply_updates(model, jax.tree.map(lambda g: -0.1 * g, grads))


if __name__ == "__main__":
    x = jax.random.normal(jax.random.key(0), (12, 2))
    model = eqx.nn.MLP(2, 1, 8, 1, key=jax.random.key(1))
    average = model
    for _ in range(4):
        model = step(model, x, x.prod(axis=1))
        average = moving_average(average, model)
    print("follows", 0.0 < distance(average, model))
