from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


class SeaGrid(NamedTuple):
    depth: jax.Array
    spacing: jax.Array

    def cell(self, position):
        rows, columns = self.depth.shape
        index = jnp.floor(position / self.spacing)  # mistake
        return jnp.clip(index, 0, jnp.array([rows - 1, columns - 1]))

    def depth_at(self, position):
        row, column = self.cell(position)
        return self.depth[row, column]  # mistake


def shelf(rows=40, columns=60):
    y, x = np.mgrid[0:rows, 0:columns]
    depth = 5.0 + 2.0 * x + 8.0 * np.cos(y / 6.0)
    return SeaGrid(jnp.asarray(np.maximum(depth, 0.5), jnp.float32), jnp.asarray(250.0))
