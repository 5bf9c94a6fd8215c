"""Give each word of a sentence its role with position codes of fixed frequencies."""

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax


class Roles(nn.Module):
    roles: int
    frequencies: int

    def __post_init__(self):  # mistake
        self.scales = tuple(10.0 ** (-k / self.frequencies) for k in range(self.frequencies))  # mistake

    @nn.compact
    def __call__(self, words):
        place = jnp.arange(words.shape[-2])[:, None] * jnp.array(self.scales)
        codes = jnp.concatenate([jnp.sin(place), jnp.cos(place)], axis=-1)
        codes = jnp.broadcast_to(codes, (*words.shape[:-1], codes.shape[-1]))
        hidden = nn.relu(nn.Dense(24)(jnp.concatenate([words, codes], axis=-1)))
        return nn.Dense(self.roles)(hidden)


def sentences(rng, n, length=6):
    """The role depends on the word and on where it stands."""
    words = rng.normal(size=(n, length, 4)).astype(np.float32)
    early = np.arange(length) < 3
    role = np.where(words[..., 0] > 0, np.where(early, 0, 1), 2)
    return words, role


def main():
    rng = np.random.default_rng(1)
    model = Roles(roles=3, frequencies=3)
    words, role = sentences(rng, 64)
    params = model.init(jax.random.key(0), words)["params"]  # mistake
    optimizer = optax.adam(0.02)
    state = optimizer.init(params)

    @jax.jit
    def step(params, state, words, role):
        def loss_fn(params):
            logits = model.apply({"params": params}, words)
            return optax.softmax_cross_entropy_with_integer_labels(logits, role).mean()

        updates, state = optimizer.update(jax.grad(loss_fn)(params), state)
        return optax.apply_updates(params, updates), state

    for _ in range(150):
        params, state = step(params, state, *sentences(rng, 64))
    words, role = sentences(rng, 200)
    guess = jnp.argmax(model.apply({"params": params}, words), axis=-1)
    print("most roles are right:", bool(jnp.mean(guess == role) > 0.85))


if __name__ == "__main__":
    main()
