"""Learn to hit a target column with a policy over columns."""

import jax
import jax.numpy as jnp
import optax

COLUMNS = 9
TARGET = 6.0


def init(key):
    k1, k2 = jax.random.split(key)
    return {
        "hidden": 0.5 * jax.random.normal(k1, (3, 16)),
        "out": 0.1 * jax.random.normal(k2, (16, COLUMNS)),
    }


def logits_of(params, wind):
    features = jnp.stack([wind, wind**2, jnp.ones_like(wind)], axis=-1)
    return jnp.tanh(features @ params["hidden"]) @ params["out"]


def landing(column, wind):
    """Where a throw at a column comes down."""
    return column + 2.0 * wind


def loss(params, key, wind):
    logits = logits_of(params, wind)
    column = jax.random.categorical(key, logits)  # mistake
    missed = jnp.abs(landing(column, wind) - TARGET)
    return jnp.mean(missed)


def misses(params, key, wind):
    column = jax.random.categorical(key, logits_of(params, wind))
    return float(jnp.mean(jnp.abs(landing(column, wind) - TARGET)))


def main():
    params = init(jax.random.key(0))
    optimizer = optax.adam(0.02)
    state = optimizer.init(params)

    @jax.jit
    def step(params, state, key):
        k_wind, k_move = jax.random.split(key)
        wind = jax.random.uniform(k_wind, (128,), minval=-1.0, maxval=1.0)
        updates, state = optimizer.update(jax.grad(loss)(params, k_move, wind), state)
        return optax.apply_updates(params, updates), state

    wind = jnp.linspace(-1.0, 1.0, 200)
    before = misses(params, jax.random.key(1), wind)
    for number in range(400):
        params, state = step(params, state, jax.random.key(100 + number))
    after = misses(params, jax.random.key(1), wind)
    print("misses by less than before:", after < 0.6 * before)


if __name__ == "__main__":
    main()
