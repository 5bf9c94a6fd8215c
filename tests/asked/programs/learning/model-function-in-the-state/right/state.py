"""State of training."""
from collections.abc import Callable
from typing import Any

import optax
from flax import struct


@struct.dataclass
class State:
    params: Any
    opt_state: optax.OptState
    step: int
    forward: Callable = struct.field(pytree_node=False)
    optimizer: optax.GradientTransformation = struct.field(pytree_node=False)
