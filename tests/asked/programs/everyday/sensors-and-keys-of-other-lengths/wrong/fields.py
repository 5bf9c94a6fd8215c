"""Smooth random functions on the unit interval."""
import jax
import jax.numpy as jnp


def random_field(key, shape):
    noise = jax.random.normal(key, shape)
    kernel = jnp.exp(-jnp.linspace(-2.0, 2.0, 9) ** 2)
    return jax.vmap(lambda row: jnp.convolve(row, kernel, mode="same"))(noise)


def sample_example(key, field, points):
    grid = jnp.linspace(0.0, 1.0, field.shape[0])
    queries = jax.random.uniform(key, (10,)) * points / 10
    targets = jnp.interp(queries, grid, field)
    return jnp.tile(field, (10, 1)), queries, targets
