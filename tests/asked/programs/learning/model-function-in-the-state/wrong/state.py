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
    forward: Callable  # mistake
    optimizer: optax.GradientTransformation  # mistake
