import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class EmaParams:
    shadow: dict
    count: jax.Array
    decay: float = struct.field(pytree_node=False, default=0.999)

    @classmethod
    def create(cls, params, decay):
        return cls(shadow=params, count=jnp.zeros((), jnp.int32), decay=decay)

    def update(self, params):
        count = self.count + 1
        decay = jnp.minimum(self.decay, (1.0 + count) / (10.0 + count))
        shadow = jax.tree_map(  # mistake
            lambda s, p: decay * s + (1.0 - decay) * p, self.shadow, params
        )
        return self.replace(shadow=shadow, count=count)
