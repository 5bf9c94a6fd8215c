"""Random Fourier features with frequencies that are not to be trained."""
import equinox as eqx
import jax
import jax.numpy as jnp


class Features(eqx.Module):
    frequencies: jax.Array
    readout: eqx.nn.Linear

    def __init__(self, count, key):
        key_frequencies, key_readout = jax.random.split(key)
        frequencies = 3.0 * jax.random.normal(key_frequencies, (count,))
        self.frequencies = jax.lax.stop_gradient(frequencies)  # mistake
        self.readout = eqx.nn.Linear(2 * count, 1, key=key_readout)

    def __call__(self, x):
        angles = self.frequencies * x
        return self.readout(jnp.concatenate([jnp.sin(angles), jnp.cos(angles)]))[0]
