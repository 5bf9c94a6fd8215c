"""Fit a function with two learning rates."""
import equinox as eqx
import jax
import jax.numpy as jnp

from net import Net
from optimizers import by_part


@eqx.filter_jit
def step(model, opt_state, optimizer, x, y):
    loss, grads = eqx.filter_value_and_grad(lambda m: jnp.mean((jax.vmap(m)(x) - y) ** 2))(model)
    updates, opt_state = optimizer.update(grads, opt_state, eqx.filter(model, eqx.is_array))
    return eqx.apply_updates(model, updates), opt_state, loss


if __name__ == "__main__":
    model = Net(jax.random.key(0))
    x = jax.random.normal(jax.random.key(1), (16, 4))
    optimizer = by_part(model)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_array))
    losses = []
    for _ in range(5):
        model, opt_state, loss = step(model, opt_state, optimizer, x, x.sum(axis=1))
        losses.append(float(loss))
    print("better", losses[-1] < losses[0])
