import jax.numpy as jnp
import numpy as np


def record(rng, gains, n_sources, n_times):
    mixing = jnp.asarray(rng.normal(size=(gains.shape[0], n_sources)), dtype=jnp.float32)
    sources = np.stack([(3.0 - k) * np.sin((0.1 + 0.07 * k) * np.arange(n_times)) for k in range(n_sources)])
    noise = 0.02 * rng.normal(size=(gains.shape[0], n_times))
    clean = mixing @ jnp.asarray(sources, dtype=jnp.float32)
    return mixing, gains[:, None] * clean + jnp.asarray(noise, dtype=jnp.float32)
