"""A training step with a warm-up of the learning rate."""
import jax
import jax.numpy as jnp
import optax

schedule = optax.warmup_cosine_decay_schedule(1e-4, 0.1, warmup_steps=5, decay_steps=20)
optimizer = optax.inject_hyperparams(optax.adam)(learning_rate=schedule)


def loss_fn(params, x, y):
    hidden = jnp.tanh(x @ params["w1"])
    return jnp.mean((hidden @ params["w2"] - y) ** 2)


@jax.jit
def step(params, opt_state, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    params = optax.apply_updates(params, updates)
    return params, opt_state, loss
