"""Evaluate a classifier."""
import equinox as eqx
import jax


@eqx.filter_jit
def logits(model, x, key):
    keys = jax.random.split(key, len(x))
    return jax.vmap(model)(x, keys)


def evaluate(model, x, key):
    model = eqx.nn.inference_mode(model)
    return logits(model, x, key)
