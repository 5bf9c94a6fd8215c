import jax.numpy as jnp


def joints(angles, lengths):
    """Positions of the joints of a planar arm."""
    heading = jnp.cumsum(angles)
    x = jnp.cumsum(lengths * jnp.cos(heading))
    y = jnp.cumsum(lengths * jnp.sin(heading))
    return jnp.stack([x, y], axis=1)


def hand(angles, lengths):
    return joints(angles, lengths)[-1]
