"""Single-head attention over padded sentences."""
import jax
import jax.numpy as jnp


def attend(params, x, present):
    query, key, value = (x @ params[name] for name in ("query", "key", "value"))
    scores = query @ key.swapaxes(-1, -2) / jnp.sqrt(query.shape[-1])
    visible = present[:, None, :] & present[:, :, None]
    scores = jnp.where(visible, scores, -1e9)
    return jax.nn.softmax(scores, axis=-1) @ value


def init(key, width):
    names = ("query", "key", "value")
    return {name: jax.random.normal(k, (width, width)) * 0.3 for name, k in zip(names, jax.random.split(key, 3))}
