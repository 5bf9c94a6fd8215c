"""Fit a wave with random features."""
import equinox as eqx
import jax
import jax.numpy as jnp
import optax

from features import Features

optimizer = optax.sgd(0.1)


@eqx.filter_value_and_grad
def loss_fn(model, x, y):
    return jnp.mean((jax.vmap(model)(x) - y) ** 2)


@eqx.filter_jit
def step(model, opt_state, x, y):
    loss, grads = loss_fn(model, x, y)
    updates, opt_state = optimizer.update(grads, opt_state)
    return eqx.apply_updates(model, updates), opt_state, loss


if __name__ == "__main__":
    model = Features(5, jax.random.key(0))
    before = model.frequencies
    opt_state = optimizer.init(eqx.filter(model, eqx.is_array))
    x = jnp.linspace(-1.0, 1.0, 20)
    for _ in range(5):
        model, opt_state, loss = step(model, opt_state, x, jnp.sin(4.0 * x))
    print("frequencies stay", bool(jnp.all(model.frequencies == before)))
