"""Run settings, passed along with the train state."""
from flax import struct


@struct.dataclass
class Settings:
    clip_norm: float = 1.0
    entropy_bonus: float = 0.01
    accum_steps: int = struct.field(pytree_node=False, default=4)
    loss_name: str = struct.field(pytree_node=False, default="xent")
