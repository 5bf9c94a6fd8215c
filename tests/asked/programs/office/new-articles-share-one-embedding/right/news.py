from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np


@dataclass
class ArticleIndex:
    """Article table with one additional last row for articles without a vector."""

    ids: np.ndarray

    def __len__(self):
        return len(self.ids)

    def rows(self, requested):
        requested = np.asarray(requested)
        pos = np.searchsorted(self.ids, requested)
        known = (pos < len(self.ids)) & (self.ids[np.minimum(pos, len(self.ids) - 1)] == requested)
        return np.where(known, pos, len(self.ids))


def init_table(key, index, dim):
    known = jax.random.normal(key, (len(index), dim)) / dim**0.5
    return jnp.concatenate([known, jnp.zeros((1, dim))])


@jax.jit
def related(table, rows, candidates):
    query = table[rows]
    norms = jnp.linalg.norm(candidates, axis=-1) * jnp.linalg.norm(query, axis=-1, keepdims=True)
    return query @ candidates.T / (norms + 1e-6)
