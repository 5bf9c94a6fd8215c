import jax
import jax.numpy as jnp
import numpy as np

from snow import SnowParams, advance

NUM_DAYS = 90


def winter(seed=0):
    rng = np.random.default_rng(seed)
    season = -4.0 + 8.0 * np.linspace(-1, 1, NUM_DAYS) ** 2
    temperature = jnp.asarray(season + rng.normal(scale=2.0, size=NUM_DAYS), jnp.float32)
    precipitation = jnp.asarray(rng.gamma(1.5, 0.8, size=NUM_DAYS), jnp.float32)
    return temperature, precipitation


def measure(temperature, precipitation):
    truth = SnowParams(jnp.asarray(-0.5, jnp.float32), jnp.asarray(0.5, jnp.float32))

    def day(depth, weather):
        depth = advance(truth, depth, *weather)
        return depth, depth

    start = jnp.asarray(2.0, jnp.float32)
    _, depths = jax.lax.scan(day, start, (temperature, precipitation))
    return jnp.concatenate([start[None], depths])
