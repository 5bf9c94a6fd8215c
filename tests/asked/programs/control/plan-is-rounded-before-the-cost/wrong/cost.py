"""Cost of filling a tank with whole buckets."""
import jax.numpy as jnp

TARGET = 12.0


def buckets(plan):
    return jnp.round(plan)


def cost(plan):
    level = jnp.cumsum(buckets(plan))
    return (level[-1] - TARGET) ** 2 + 0.05 * jnp.sum(jnp.diff(level, prepend=0.0) ** 2)
