import jax.numpy as jnp
import numpy as np


def spiral_trajectories(n, length, seed=0):
    rng = np.random.default_rng(seed)
    ts = np.linspace(0.0, 3.0, length)
    phase = rng.uniform(0, 2 * np.pi, n)
    radius = rng.uniform(0.5, 1.5, n)[:, None] * np.exp(-0.3 * ts)
    angle = phase[:, None] + 2.0 * ts
    ys = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)
    return jnp.asarray(ts, jnp.float32), jnp.asarray(ys, jnp.float32)
