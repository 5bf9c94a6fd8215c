"""One step of the optimizer."""
import jax
import jax.numpy as jnp
import optax

optimizer = optax.adam(optax.exponential_decay(0.1, transition_steps=10, decay_rate=0.5))


def loss_fn(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)


@jax.jit
def step(params, opt_state, x, y):
    grads = jax.grad(loss_fn)(params, x, y)
    updates, _ = optimizer.update(grads, opt_state, params)  # mistake
    return optax.apply_updates(params, updates), opt_state
