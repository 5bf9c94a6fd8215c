"""Compare documents by the mean of their word vectors."""
import jax
import jax.numpy as jnp

from vocabulary import Vocabulary


def embed(table, ids):
    return jnp.take(table, ids, axis=0).mean(axis=0)


def likeness(table, first, second):
    first, second = embed(table, first), embed(table, second)
    return first @ second / (jnp.linalg.norm(first) * jnp.linalg.norm(second))


def main():
    vocabulary = Vocabulary()
    corpus = [vocabulary.encode("the cat sat"), vocabulary.encode("the dog ran")]
    table = jax.random.normal(jax.random.key(0), (len(vocabulary), 6))
    print("corpus", bool(likeness(table, jnp.array(corpus[0]), jnp.array(corpus[1])) < 1.0))
    query = jnp.array(vocabulary.encode_known("the cat slept"))
    print("query", bool(likeness(table, query, jnp.array(corpus[0])) > 0.0))


if __name__ == "__main__":
    main()
