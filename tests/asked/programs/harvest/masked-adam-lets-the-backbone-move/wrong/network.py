import jax
import jax.numpy as jnp


def dense(key, n_in, n_out):
    return {"w": jax.random.normal(key, (n_in, n_out)) / jnp.sqrt(n_in), "b": jnp.zeros(n_out)}


def init_params(key, n_in, hidden, n_classes):
    key_backbone, key_head = jax.random.split(key)
    return {"backbone": dense(key_backbone, n_in, hidden), "head": dense(key_head, hidden, n_classes)}


def logits_of(params, x):
    hidden = jax.nn.relu(x @ params["backbone"]["w"] + params["backbone"]["b"])
    return hidden @ params["head"]["w"] + params["head"]["b"]
