import jax
import jax.numpy as jnp


def current(position, depth, hour):
    tide = jnp.sin(2 * jnp.pi * hour / 12.4)
    along = 0.4 * tide / jnp.sqrt(depth)
    across = 0.05 + 0.02 * jnp.cos(position[0] / 3000.0)
    return jnp.stack([along, across])


def track(grid, start, num_hours):
    def hour_step(position, hour):
        depth = grid.depth_at(position)
        moved = position + 3600.0 * current(position, depth, hour)
        aground = depth < 1.0
        return jnp.where(aground, position, moved), depth

    return jax.lax.scan(hour_step, start, jnp.arange(num_hours, dtype=jnp.float32))
