"""What the telescope saw, and a model of it."""

import equinox as eqx
import jax
import jax.numpy as jnp

AXIS = jnp.linspace(0.0, 1.0, 32)


def spots(places, brightness):
    x = jnp.exp(-200.0 * (AXIS[None, :] - places[:, :1]) ** 2)
    y = jnp.exp(-200.0 * (AXIS[None, :] - places[:, 1:]) ** 2)
    return jnp.einsum("s,sx,sy->xy", brightness, x, y)


class Field(eqx.Module):
    places: jax.Array
    brightness: jax.Array

    def image(self):
        return spots(jax.lax.stop_gradient(self.places), self.brightness)


class Exposure(eqx.Module):
    counts: jax.Array

    def __init__(self, key, places):
        clean = spots(places, jnp.array([2.0, 1.0]))
        self.counts = clean + 0.1 * jax.random.normal(key, clean.shape)
