import jax
import jax.numpy as jnp


def value(params, obs):
    h = jnp.tanh(obs @ params["w1"] + params["b1"])
    return h @ params["w2"] + params["b2"]


def init(key, obs_dim, width):
    k1, k2 = jax.random.split(key)
    return {
        "w1": jax.random.normal(k1, (obs_dim, width)) / obs_dim**0.5,
        "b1": jnp.zeros(width),
        "w2": jax.random.normal(k2, (width,)) / width**0.5,
        "b2": jnp.zeros(()),
    }


def td_loss(params, obs, reward, next_obs, done, gamma):
    target = reward + gamma * (1.0 - done) * value(params, next_obs)
    return jnp.mean((value(params, obs) - jax.lax.stop_gradient(target)) ** 2)
