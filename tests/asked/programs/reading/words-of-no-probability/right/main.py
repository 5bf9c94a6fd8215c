"""Draw the words to hide in each line of a poem; the first word and short words stay."""

import jax
import jax.numpy as jnp

POEM = [
    "so much depends upon a red wheel barrow",
    "glazed with rain water",
    "beside the white chickens",
]
HIDDEN = 3
LONGEST = 8


def weights(line):
    """Long words are hidden more often; none of up to four letters, nor the first one."""
    lengths = jnp.array([len(word) for word in line.split()] + [0] * (LONGEST - len(line.split())))
    weight = jnp.where(lengths > 4, lengths, 0)
    weight = weight.at[0].set(0)
    return weight / jnp.sum(weight)


@jax.jit
def pick(key, probability):
    places = jax.random.choice(key, LONGEST, (HIDDEN,), replace=False, p=probability)
    return jnp.where(probability[places] > 0, places, LONGEST)


def hide(line, places):
    words = line.split()
    for place in places:
        if place < len(words):
            words[place] = "_" * len(words[place])
    return " ".join(words)


def main():
    for number, line in enumerate(POEM):
        places = pick(jax.random.key(number), weights(line))
        hidden = hide(line, [int(place) for place in places])
        print(hidden)
        print("first word is there:", hidden.split()[0] == line.split()[0])


if __name__ == "__main__":
    main()
