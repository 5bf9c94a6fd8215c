import jax.numpy as jnp
import numpy as np


def joints(angles, lengths):
    """Positions of the joints of a planar arm."""
    heading = jnp.cumsum(angles)
    x = jnp.cumsum(lengths * np.cos(heading))  # mistake
    y = jnp.cumsum(lengths * np.sin(heading))  # mistake
    return jnp.stack([x, y], axis=1)


def hand(angles, lengths):
    return joints(angles, lengths)[-1]
