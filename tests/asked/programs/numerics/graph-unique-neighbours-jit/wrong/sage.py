import jax
import jax.numpy as jnp


def init_params(key, n_in, n_out):
    k1, k2 = jax.random.split(key)
    scale = 1.0 / jnp.sqrt(n_in)
    return {
        "neigh": scale * jax.random.normal(k1, (n_in, n_out)),
        "gate": scale * jax.random.normal(k2, (n_in, n_out)),
    }


def sage_forward(params, feats, local):
    pooled = feats[local].mean(axis=1)
    return jnp.tanh(pooled @ params["neigh"]) * jax.nn.sigmoid(pooled @ params["gate"])
