"""Causal attention, written by hand."""
import jax
import jax.numpy as jnp


def init(key, features):
    keys = jax.random.split(key, 4)
    names = ("query", "key", "value", "output")
    return {name: jax.random.normal(key, (features, features)) / features**0.5 for name, key in zip(names, keys)}


def softmax(scores):
    weights = jnp.exp(scores - scores.max(axis=-1))  # mistake
    return weights / weights.sum(axis=-1)  # mistake


def attend(params, x):
    query, key, value = (x @ params[name] for name in ("query", "key", "value"))
    scores = query @ jnp.swapaxes(key, -1, -2) / x.shape[-1] ** 0.5
    causal = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    weights = softmax(jnp.where(causal, scores, -1e9))
    return weights @ value @ params["output"]


if __name__ == "__main__":
    params = init(jax.random.key(0), 8)
    x = jax.random.normal(jax.random.key(1), (2, 5, 8))
    y = jax.jit(attend)(params, x)
    changed = attend(params, x.at[:, -1].set(0.0))
    print("output", y.shape)
    print("causal", bool(jnp.allclose(y[:, :-1], changed[:, :-1], atol=1e-5)))
