"""Code words with an embedding that encoder and decoder share."""

import jax
import optax

from codec import decode, encode, init

WORDS = 16


def loss_fn(params, words):
    codes = encode(params, words)
    logits = decode(params, codes)
    return optax.softmax_cross_entropy_with_integer_labels(logits, words).mean()


def main():
    params = init(jax.random.key(0))
    optimizer = optax.adam(0.02)
    state = optimizer.init(params)

    @jax.jit
    def step(params, state, words):
        loss, grads = jax.value_and_grad(loss_fn)(params, words)
        updates, state = optimizer.update(grads, state)
        return optax.apply_updates(params, updates), state, loss

    for number in range(150):
        words = jax.random.randint(jax.random.key(number), (64,), 0, WORDS)
        params, state, loss = step(params, state, words)
    tables = [leaf for leaf in jax.tree.leaves(params) if leaf.shape == (WORDS, 8)]
    print("learned:", bool(loss < 0.5))
    print("tables of embeddings:", len(tables))
    print("numbers in all:", sum(leaf.size for leaf in jax.tree.leaves(params)))


if __name__ == "__main__":
    main()
