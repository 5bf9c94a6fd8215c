import jax
import jax.numpy as jnp
import optax


def init(key, n_users, n_items, rank):
    u_key, i_key = jax.random.split(key)
    return {
        "users": 0.1 * jax.random.normal(u_key, (n_users, rank)),
        "items": 0.1 * jax.random.normal(i_key, (n_items, rank)),
        "bias": jnp.zeros(n_items),
    }


def rating_loss(params, user, item, rating):
    score = (params["users"][user] * params["items"][item]).sum(-1) + params["bias"][item]
    reg = 1e-4 * (params["users"] ** 2).sum()
    return jnp.mean((score - rating) ** 2) + reg


def adam_update(tx, params, opt_state, batch):
    loss, grads = jax.value_and_grad(rating_loss)(params, *batch)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss
