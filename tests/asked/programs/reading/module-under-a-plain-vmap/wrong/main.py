"""Encode a few documents, word by word, with dropout in training."""

import jax
import jax.numpy as jnp
import optax
from flax import nnx


class WordEncoder(nnx.Module):
    def __init__(self, width, rngs):
        self.inner = nnx.Linear(6, width, rngs=rngs)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)
        self.outer = nnx.Linear(width, 2, rngs=rngs)

    def __call__(self, words):
        hidden = self.dropout(nnx.relu(self.inner(words)))
        return jnp.mean(self.outer(hidden), axis=-2)


def documents(key, n=48, length=10):
    k_topic, k_words = jax.random.split(key)
    topic = jax.random.randint(k_topic, (n,), 0, 2)
    words = jax.random.normal(k_words, (n, length, 6))
    return words.at[:, :, 0].add(2.0 * topic[:, None] - 1.0), topic


def loss_fn(model, words, topic):
    logits = jax.vmap(model)(words)  # mistake
    return optax.softmax_cross_entropy_with_integer_labels(logits, topic).mean()


@nnx.jit
def train_step(model, optimizer, words, topic):
    loss, grads = nnx.value_and_grad(loss_fn)(model, words, topic)
    optimizer.update(model, grads)
    return loss


def main():
    model = WordEncoder(16, nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(0.02), wrt=nnx.Param)
    for number in range(60):
        loss = train_step(model, optimizer, *documents(jax.random.key(number)))
    print("topics are learned:", bool(loss < 0.3))


if __name__ == "__main__":
    main()
