import jax
import jax.numpy as jnp


def merger_rate(lineages: jax.Array, size: float) -> jax.Array:
    count = lineages.astype(jnp.float32)
    pairs = count * (count - 1.0) / 2.0
    return pairs / size
