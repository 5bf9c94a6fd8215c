import jax
import jax.numpy as jnp


def init_actor(key, obs_dim, act_dim, width=32):
    k1, k2 = jax.random.split(key)
    return {
        "w1": jax.random.normal(k1, (obs_dim, width)) / jnp.sqrt(obs_dim),
        "w2": jax.random.normal(k2, (width, act_dim)) / jnp.sqrt(width),
    }


def mean_action(params, obs):
    return jnp.tanh(jnp.tanh(obs @ params["w1"]) @ params["w2"])


@jax.jit
def explore(params, obs, sigma, key):
    action = mean_action(params, obs)
    noise = jax.random.normal(key, action.shape)
    return jnp.clip(action + sigma * noise, -1.0, 1.0)
