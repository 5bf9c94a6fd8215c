import jax
import jax.numpy as jnp
import optax

from models import forward

optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(3e-3))


def mse(params, batch):
    pred = forward(params, batch["x"])
    return jnp.mean((pred[:, 0] - batch["y"]) ** 2)


@jax.jit
def train_step(params, opt_state, batch):
    loss, grads = jax.value_and_grad(mse)(params, batch)
    if jnp.isnan(loss):  # mistake
        return params, opt_state, loss
    updates, opt_state = optimizer.update(grads, opt_state, params)
    params = optax.apply_updates(params, updates)
    return params, opt_state, loss
