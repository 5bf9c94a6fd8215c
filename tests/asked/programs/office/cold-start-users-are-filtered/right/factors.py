import jax
import jax.numpy as jnp


def init_factors(key, n_users, n_items, rank):
    user_key, item_key = jax.random.split(key)
    return {
        "user": 0.1 * jax.random.normal(user_key, (n_users, rank)),
        "item": 0.1 * jax.random.normal(item_key, (n_items, rank)),
        "user_bias": jnp.zeros(n_users),
        "item_bias": jnp.zeros(n_items),
    }


def predict(params, users, items):
    dot = jnp.sum(params["user"][users] * params["item"][items], axis=-1)
    return dot + params["user_bias"][users] + params["item_bias"][items]


def rating_loss(params, batch, counts, min_ratings=3):
    errors = predict(params, batch["user"], batch["item"]) - batch["rating"]
    warm = counts[batch["user"]] >= min_ratings
    return jnp.sum(jnp.where(warm, errors**2, 0.0)) / jnp.maximum(warm.sum(), 1)
