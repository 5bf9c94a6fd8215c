"""Rank articles by their title, their text and who wrote them."""

from collections.abc import Mapping

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Encoder(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        return nn.tanh(nn.Dense(self.width)(x))


class Ranker(nn.Module):
    encoders: Mapping[str, nn.Module]

    @nn.compact
    def __call__(self, article):
        parts = [self.encoders[name](article[name]) for name in sorted(article)]
        joined = jnp.concatenate(parts, axis=-1)
        return nn.Dense(1)(joined)[..., 0]


def articles(key, n=64):
    k_title, k_text, k_author = jax.random.split(key, 3)
    article = {
        "title": jax.random.normal(k_title, (n, 6)),
        "text": jax.random.normal(k_text, (n, 12)),
        "author": jax.random.normal(k_author, (n, 3)),
    }
    return article, article["title"][:, 0] - article["author"][:, 1]


def main():
    model = Ranker({"title": Encoder(8), "text": Encoder(8), "author": Encoder(4)})
    article, score = articles(jax.random.key(0))
    params = model.init(jax.random.key(1), article)["params"]
    optimizer = optax.adam(0.02)
    state = optimizer.init(params)

    @jax.jit
    def step(params, state, article, score):
        loss, grads = jax.value_and_grad(lambda p: jnp.mean((model.apply({"params": p}, article) - score) ** 2))(params)
        updates, state = optimizer.update(grads, state)
        return optax.apply_updates(params, updates), state, loss

    for number in range(150):
        params, state, loss = step(params, state, *articles(jax.random.key(number)))
    print("loss below a fifth:", bool(loss < 0.2))


if __name__ == "__main__":
    main()
