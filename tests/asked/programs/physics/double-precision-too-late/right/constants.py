"""Constants of the solar system, in SI units."""
import jax.numpy as jnp

GRAVITY = jnp.array([6.6743e-11])
MASSES = jnp.array([1.98847e30, 5.9722e24])
DISTANCE = jnp.array([1.495978707e11])
