"""Train, save, and go on from the checkpoint with a new model."""
import equinox as eqx
import jax
import jax.numpy as jnp

from checkpoint import Checkpoint


@eqx.filter_jit
def step(model, x, y):
    loss, grads = eqx.filter_value_and_grad(lambda m: jnp.mean((jax.vmap(m)(x) - y) ** 2))(model)
    return eqx.apply_updates(model, jax.tree.map(lambda g: -0.1 * g, grads)), loss


def main():
    x = jax.random.normal(jax.random.key(0), (16, 3))
    y = x @ jnp.array([[1.0], [2.0], [3.0]])
    model = eqx.nn.Linear(3, 1, key=jax.random.key(1))
    checkpoint = Checkpoint()
    for _ in range(20):
        model, loss = step(model, x, y)
    checkpoint.save(model)
    restored = checkpoint.load(eqx.nn.Linear(3, 1, key=jax.random.key(2)))
    _, resumed = step(restored, x, y)
    print("goes on", bool(resumed <= loss))


if __name__ == "__main__":
    main()
