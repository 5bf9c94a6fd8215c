"""Options of a loss."""
from dataclasses import dataclass


@dataclass(frozen=True)
class LossOptions:
    smoothing: float
    reduction: str = "mean"
