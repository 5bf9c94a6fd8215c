"""Train a few steps with running statistics."""
import equinox as eqx
import jax
import jax.numpy as jnp

from network import Network

compiled = 0


def loss_fn(model, state, x, y):
    mapped = jax.vmap(model, in_axes=(0, None), out_axes=(0, None), axis_name="batch")
    predicted, state = mapped(x, state)
    return jnp.mean((predicted - y) ** 2), state


@eqx.filter_jit
def step(model, state, x, y):
    global compiled
    compiled += 1
    grads, state = eqx.filter_grad(loss_fn, has_aux=True)(model, state, x, y)
    return eqx.apply_updates(model, jax.tree.map(lambda g: -0.05 * g, grads)), state


if __name__ == "__main__":
    x = jax.random.normal(jax.random.key(0), (16, 4))
    model, state = eqx.nn.make_with_state(Network)(jax.random.key(1))
    for _ in range(3):
        model, state = step(model, state, x, x.sum(axis=1))
    print("numbers in the state", sum(leaf.size for leaf in jax.tree.leaves(state)))
    print("compiled", compiled)
