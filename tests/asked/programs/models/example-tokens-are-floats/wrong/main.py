"""Tag a batch of sentences with an untrained model."""
import jax
import jax.numpy as jnp

from tagger import Tagger

WORDS, TAGS, LENGTH = 20, 4, 6


def create(key):
    model = Tagger(WORDS, TAGS)
    example = jnp.ones((1, LENGTH))  # mistake
    return model, model.init(key, example)  # mistake


@jax.jit
def most_common_tag(tags):
    return jnp.argmax(jnp.bincount(tags.ravel(), length=TAGS))


if __name__ == "__main__":
    model, variables = create(jax.random.key(0))
    sentences = jax.random.randint(jax.random.key(1), (3, LENGTH), 0, WORDS)
    tags = model.apply(variables, sentences).argmax(axis=-1)
    print("tags", tags.shape)
    print("known tag", bool(most_common_tag(tags) < TAGS))
