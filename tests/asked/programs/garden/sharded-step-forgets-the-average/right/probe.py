import jax
import jax.numpy as jnp
import optax


def init_probe(key, n_in, n_out):
    return {"w": 0.01 * jax.random.normal(key, (n_in, n_out)), "b": jnp.zeros(n_out)}


def probe_loss(params, batch):
    logits = batch["x"] @ params["w"] + params["b"]
    losses = optax.softmax_cross_entropy_with_integer_labels(logits, batch["label"])
    return losses.mean()
