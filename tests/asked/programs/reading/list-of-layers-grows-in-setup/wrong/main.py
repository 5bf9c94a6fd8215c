"""Guess the language of a word from the counts of its letters."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax

WORDS = {
    "german": ["strasse", "zwischen", "schnee", "wurst", "zeitung", "schwarz"],
    "finnish": ["kukka", "talvi", "ikkuna", "saari", "aamu", "kaakao"],
    "english": ["through", "window", "weather", "thought", "yellow", "father"],
}


class Guesser(nn.Module):
    widths: tuple[int, ...]
    languages: int

    def setup(self):
        self.layers = []
        for width in self.widths:
            self.layers.append(nn.Dense(width))  # mistake
        self.head = nn.Dense(self.languages)

    def __call__(self, x):
        for layer in self.layers:
            x = nn.relu(layer(x))
        return self.head(x)


def count(word):
    letters = jnp.array([ord(letter) - ord("a") for letter in word])
    return jnp.zeros(26).at[letters].add(1.0)


def main():
    x = jnp.stack([count(word) for words in WORDS.values() for word in words])
    y = jnp.repeat(jnp.arange(len(WORDS)), 6)
    model = Guesser((16, 16), len(WORDS))
    params = model.init(jax.random.key(0), x)["params"]
    optimizer = optax.adam(0.02)
    state = optimizer.init(params)

    def loss_fn(params):
        logits = model.apply({"params": params}, x)
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    @jax.jit
    def step(params, state):
        updates, state = optimizer.update(jax.grad(loss_fn)(params), state)
        return optax.apply_updates(params, updates), state

    for _ in range(100):
        params, state = step(params, state)
    print("layers", sorted(params))
    print("all known:", bool(jnp.all(jnp.argmax(model.apply({"params": params}, x), axis=-1) == y)))


if __name__ == "__main__":
    main()
