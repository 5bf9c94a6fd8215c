from dataclasses import dataclass

import jax.numpy as jnp

KNUTH = 2654435761


@dataclass(frozen=True)
class HashedColumns:
    num_columns: int
    num_buckets: int

    def __call__(self, codes):
        salt = jnp.arange(self.num_columns, dtype=codes.dtype) * 7919
        mixed = (codes + salt).astype(jnp.uint32) * jnp.uint32(KNUTH)
        return (mixed % self.num_buckets).astype(jnp.int32)
