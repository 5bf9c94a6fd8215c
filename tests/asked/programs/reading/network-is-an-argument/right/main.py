"""Compare two networks that judge the tone of a review."""

from functools import partial

import jax
import jax.numpy as jnp
import optax
from networks import Bag, Convolution


def reviews(key, n=128, length=12):
    """Words as vectors; the tone is that of the strongest word."""
    words = jax.random.normal(key, (n, length, 4))
    strongest = jnp.argmax(jnp.abs(words[:, :, 0]), axis=1)
    tone = jnp.take_along_axis(words[:, :, 0], strongest[:, None], axis=1)[:, 0] > 0
    return words, tone.astype(jnp.float32)


@partial(jax.jit, static_argnums=0)
def evaluate(model, params, words, tone):
    logits = model.apply({"params": params}, words)
    loss = optax.sigmoid_binary_cross_entropy(logits, tone).mean()
    return {"loss": loss, "accuracy": jnp.mean((logits > 0) == (tone > 0))}


def fit(model, steps=150):
    words, _ = reviews(jax.random.key(0))
    params = model.init(jax.random.key(1), words)["params"]
    optimizer = optax.adam(0.01)
    state = optimizer.init(params)

    @jax.jit
    def step(params, state, words, tone):
        grads = jax.grad(lambda p: optax.sigmoid_binary_cross_entropy(model.apply({"params": p}, words), tone).mean())(
            params
        )
        updates, state = optimizer.update(grads, state)
        return optax.apply_updates(params, updates), state

    for number in range(steps):
        params, state = step(params, state, *reviews(jax.random.key(number)))
    return params


def main():
    for model in (Bag(), Convolution()):
        params = fit(model)
        found = evaluate(model, params, *reviews(jax.random.key(1000)))
        print(type(model).__name__, "is better than chance:", bool(found["accuracy"] > 0.6))


if __name__ == "__main__":
    main()
