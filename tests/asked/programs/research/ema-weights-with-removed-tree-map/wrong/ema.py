from typing import Any

import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class EMA:
    average: Any
    count: jax.Array
    decay: float = struct.field(pytree_node=False, default=0.98)

    @classmethod
    def create(cls, params, decay):
        zeros = jax.tree_util.tree_map(jnp.zeros_like, params)
        return cls(average=zeros, count=jnp.zeros((), jnp.int32), decay=decay)

    def update(self, params):
        average = jax.tree_map(lambda a, p: self.decay * a + (1.0 - self.decay) * p, self.average, params)  # mistake
        return self.replace(average=average, count=self.count + 1)

    def unbiased(self):
        correction = 1.0 - self.decay**self.count
        return jax.tree_util.tree_map(lambda a: a / correction, self.average)
