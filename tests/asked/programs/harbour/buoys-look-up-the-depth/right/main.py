from functools import partial

import jax
import jax.numpy as jnp

from drift import track
from grid import shelf


@partial(jax.jit, static_argnames="num_hours")
def drift_all(grid, starts, num_hours):
    return jax.vmap(lambda start: track(grid, start, num_hours))(starts)


def main():
    grid = shelf()
    extent = jnp.array(grid.depth.shape) * grid.spacing
    starts = jax.random.uniform(jax.random.key(0), (12, 2)) * extent
    ends, depths = drift_all(grid, starts, num_hours=72)
    print("mean displacement", jnp.mean(jnp.linalg.norm(ends - starts, axis=-1)))
    print("shallowest water passed", jnp.min(depths, axis=1))


if __name__ == "__main__":
    main()
