import jax.numpy as jnp
import numpy as np

_TABLES = {}


def rotary_tables(length, dim):
    if (length, dim) not in _TABLES:
        rates = 10000.0 ** (-np.arange(0, dim, 2, dtype=np.float32) / dim)
        angles = np.arange(length, dtype=np.float32)[:, None] * rates
        _TABLES[length, dim] = (jnp.cos(angles), jnp.sin(angles))  # mistake
    return _TABLES[length, dim]


def rotate(x):
    cos, sin = rotary_tables(x.shape[-3], x.shape[-1])
    cos, sin = cos[:, None, :], sin[:, None, :]
    even, odd = x[..., ::2], x[..., 1::2]
    turned = jnp.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1)
    return turned.reshape(x.shape)
