import jax
import jax.numpy as jnp


def rings(key, n):
    key_angle, key_radius = jax.random.split(key)
    angle = jax.random.uniform(key_angle, (n,), maxval=2.0 * jnp.pi)
    radius = 1.0 + 0.05 * jax.random.normal(key_radius, (n,))
    return jnp.stack([radius * jnp.cos(angle), radius * jnp.sin(angle), radius**2], axis=1)
