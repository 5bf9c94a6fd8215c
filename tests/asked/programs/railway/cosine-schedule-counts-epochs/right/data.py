import jax.numpy as jnp
import numpy as np


def spiral_paths(rng, n_paths, n_times):
    times = np.linspace(0.0, 2.0, n_times)
    angle = rng.uniform(0, 2 * np.pi, size=(n_paths, 1)) + 1.5 * times
    radius = rng.uniform(0.5, 1.5, size=(n_paths, 1)) * np.exp(-0.4 * times)
    paths = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)
    return jnp.asarray(times, dtype=jnp.float32), jnp.asarray(paths, dtype=jnp.float32)


def batches(rng, paths, size):
    order = rng.permutation(paths.shape[0])
    for start in range(0, paths.shape[0] - size + 1, size):
        yield paths[order[start : start + size]]
