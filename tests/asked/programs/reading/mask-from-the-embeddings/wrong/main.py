"""Train a small decoder to continue sequences of digits."""

import jax
import jax.numpy as jnp
import optax

from decoder import Decoder

VOCABULARY = 10


def sequences(key, n, length=12):
    """Digits that go up by a step of their own."""
    k_start, k_step = jax.random.split(key)
    start = jax.random.randint(k_start, (n, 1), 0, VOCABULARY)
    step = jax.random.randint(k_step, (n, 1), 1, 4)
    return (start + step * jnp.arange(length)) % VOCABULARY


def main():
    model = Decoder(VOCABULARY)
    tokens = sequences(jax.random.key(0), 32)
    params = model.init(jax.random.key(1), tokens[:, :-1])["params"]
    optimizer = optax.adam(1e-2)
    state = optimizer.init(params)

    @jax.jit
    def step(params, state, tokens):
        def loss_fn(params):
            logits = model.apply({"params": params}, tokens[:, :-1])
            return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, state = optimizer.update(grads, state)
        return optax.apply_updates(params, updates), state, loss

    losses = []
    for number in range(60):
        params, state, loss = step(params, state, sequences(jax.random.key(number), 32))
        losses.append(float(loss))
    print("learns:", losses[-1] < 0.7 * losses[0])


if __name__ == "__main__":
    main()
