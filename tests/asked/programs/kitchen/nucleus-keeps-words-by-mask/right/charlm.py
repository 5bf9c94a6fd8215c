import jax
import jax.numpy as jnp
import optax


def init_params(key, vocab, dim, context):
    k1, k2, k3 = jax.random.split(key, 3)
    return {
        "embed": jax.random.normal(k1, (vocab, dim)) * 0.1,
        "w": jax.random.normal(k2, (context * dim, 64)) / jnp.sqrt(context * dim),
        "b": jnp.zeros(64),
        "out": jax.random.normal(k3, (64, vocab)) / 8.0,
    }


def next_logits(params, window):
    h = params["embed"][window].reshape(-1)
    return jnp.tanh(h @ params["w"] + params["b"]) @ params["out"]


def batch_loss(params, windows, targets):
    logits = jax.vmap(next_logits, in_axes=(None, 0))(params, windows)
    return optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean()
