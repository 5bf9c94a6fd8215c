import jax
import jax.numpy as jnp


def init_policy(key, obs_dim=4, hidden=16):
    k1, k2 = jax.random.split(key)
    return {
        "w1": jax.random.normal(k1, (obs_dim, hidden)) * 0.5,
        "b1": jnp.zeros(hidden),
        "w2": jax.random.normal(k2, (hidden, 2)) * 0.1,
        "b2": jnp.zeros(2),
    }


def sample_action(params, obs, key):
    h = jnp.tanh(obs @ params["w1"] + params["b1"])
    logits = h @ params["w2"] + params["b2"]
    return jax.random.categorical(key, logits).astype(jnp.float32)
