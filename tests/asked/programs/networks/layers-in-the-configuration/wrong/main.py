"""Compress pictures of bars."""

import jax
import jax.numpy as jnp
import optax
from autoencoder import make, reconstruction_error
from config import Config


def bars(key, count=64):
    k_row, k_noise = jax.random.split(key)
    rows = jax.random.randint(k_row, (count,), 0, 4)
    pictures = jnp.repeat(jax.nn.one_hot(rows, 4), 4, axis=1)
    return pictures + 0.05 * jax.random.normal(k_noise, pictures.shape)


def main():
    config = Config()
    network = make(config)
    pictures = bars(jax.random.key(0))
    params = network.init(jax.random.key(1), pictures)
    optimizer = optax.adam(config.rate)
    opt_state = optimizer.init(params)

    @jax.jit
    def step(params, opt_state):
        error, grads = jax.value_and_grad(lambda p: reconstruction_error(network, p, pictures))(params)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, error

    errors = []
    for _ in range(config.steps):
        params, opt_state, error = step(params, opt_state)
        errors.append(float(error))
    print("better", errors[-1] < errors[0])


if __name__ == "__main__":
    main()
