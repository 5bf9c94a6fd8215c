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
    updates, new_opt_state = optimizer.update(grads, opt_state, params)
    new_params = optax.apply_updates(params, updates)
    bad = jnp.isnan(loss)
    keep = lambda old, new: jnp.where(bad, old, new)
    params = jax.tree.map(keep, params, new_params)
    opt_state = jax.tree.map(keep, opt_state, new_opt_state)
    return params, opt_state, loss
