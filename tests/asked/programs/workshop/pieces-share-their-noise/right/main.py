"""Judge the balance of a set of weights, piece by piece, with noisy scales."""

import haiku as hk
import jax
import jax.numpy as jnp
import optax


def piece_score(piece):
    """A score of one piece; the scale is noisy while it is trained."""
    hidden = jax.nn.relu(hk.Linear(8)(piece))
    noise = 0.1 * jax.random.normal(hk.next_rng_key())
    return hk.Linear(1)(hidden)[0] + noise


def scores(pieces):
    return hk.vmap(piece_score, split_rng=not hk.running_init())(pieces)


network = hk.transform(scores)
optimizer = optax.adam(0.01)


def loss_fn(params, key, pieces, target):
    return jnp.mean((network.apply(params, key, pieces) - target) ** 2)


@jax.jit
def step(params, state, key, pieces, target):
    loss, grads = jax.value_and_grad(loss_fn)(params, key, pieces, target)
    updates, state = optimizer.update(grads, state)
    return optax.apply_updates(params, updates), state, loss


def draw(key, n=32):
    pieces = jax.random.normal(key, (n, 3))
    return pieces, 0.5 * pieces[:, 0] + jnp.abs(pieces[:, 1])


def main():
    params = network.init(jax.random.key(1), draw(jax.random.key(0))[0])
    state = optimizer.init(params)
    losses = []
    for number in range(200):
        data_key, noise_key = jax.random.split(jax.random.key(number))
        params, state, loss = step(params, state, noise_key, *draw(data_key))
        losses.append(float(loss))
    alike = network.apply(params, jax.random.key(7), jnp.ones((5, 3)))
    print("learns:", losses[-1] < 0.3 * losses[0])
    print(f"spread of equal pieces {float(jnp.std(alike)):.1f}")


if __name__ == "__main__":
    main()
