import math

import jax
import jax.numpy as jnp


def sky_separation(phase, a_over_r, inclination):
    angle = 2.0 * math.pi * phase
    along = jnp.sin(angle)
    across = jnp.cos(angle) * jnp.cos(inclination)
    return a_over_r * jnp.sqrt(along**2 + across**2)


def transit_depth(separation, radius_ratio, sharpness=60.0):
    edge = 1.0 + radius_ratio
    inside = jax.nn.sigmoid(sharpness * (edge - separation))
    return radius_ratio**2 * inside
