import jax


def merger_rate(lineages: jax.Array, size: float) -> jax.Array:
    pairs = lineages * (lineages - 1) / 2  # mistake
    return pairs / size
