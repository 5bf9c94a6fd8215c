"""Which words tell a topic? Counts of words by topic, smoothed."""

import jax
import jax.numpy as jnp

VOCABULARY = 40


def documents(key, topics, count=60, length=25):
    k_topic, k_table, k_words = jax.random.split(key, 3)
    labels = jax.random.randint(k_topic, (count,), 0, topics)
    table = jax.random.normal(k_table, (topics, VOCABULARY))
    words = jax.random.categorical(k_words, 2.0 * table[labels][:, None, :], shape=(count, length))
    return words, labels


def word_counts(words):
    return jax.vmap(lambda row: jnp.bincount(row, length=VOCABULARY))(words)


@jax.jit
def fit(words, labels):
    topics = labels.max() + 1
    members = jax.nn.one_hot(labels, topics)  # mistake
    counts = members.T @ word_counts(words)
    likelihood = jnp.log((counts + 1.0) / (counts.sum(1, keepdims=True) + VOCABULARY))
    prior = jnp.log(members.mean(axis=0) + 1e-6)
    return prior, likelihood


@jax.jit
def classify(model, words):
    prior, likelihood = model
    return jnp.argmax(prior + word_counts(words) @ likelihood.T, axis=1)


def telling_words(model, top=3):
    _, likelihood = model
    lift = likelihood - likelihood.mean(axis=0)
    return jnp.argsort(-lift, axis=1)[:, :top]


def main():
    words, labels = documents(jax.random.key(21), topics=4)
    model = fit(words, labels)
    accuracy = jnp.mean(classify(model, words) == labels)
    print("topics", model[0].shape[0])
    print("telling words", telling_words(model).shape)
    print("accurate", bool(accuracy > 0.9))


if __name__ == "__main__":
    main()
