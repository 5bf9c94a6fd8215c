from dataclasses import dataclass, field
from typing import Tuple


@dataclass(frozen=True)
class NetConfig:
    hidden: Tuple[int, ...] = (16, 16)
    activation: str = "tanh"


@dataclass(frozen=True)
class RolloutConfig:
    num_envs: int = 4
    num_steps: int = 10
    gamma: float = 0.95
    net: NetConfig = field(default_factory=NetConfig)
