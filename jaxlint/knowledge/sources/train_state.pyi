# flax.training.train_state, as the interpreter follows it: what training does to structures, shapes and dtypes.
# Measured with flax 0.12.8.
from collections.abc import Callable
from typing import Any

import jax
import optax
from flax import struct

class TrainState(struct.PyTreeNode):
    step: int | jax.Array
    apply_fn: Callable = struct.field(pytree_node=False)
    params: Any = struct.field(pytree_node=True)
    tx: optax.GradientTransformation = struct.field(pytree_node=False)
    opt_state: optax.OptState = struct.field(pytree_node=True)

    def apply_gradients(self, *, grads, **kwargs):
        params = jax.tree.map(lambda leaf: leaf, self.params)
        _, opt_state = self.tx.update(grads, self.opt_state, self.params)
        return self.replace(step=self.step + 1, params=params, opt_state=opt_state, **kwargs)

    @classmethod
    def create(cls, *, apply_fn, params, tx, **kwargs):
        opt_state = tx.init(params)
        return cls(step=0, apply_fn=apply_fn, params=params, tx=tx, opt_state=opt_state, **kwargs)
