from dataclasses import dataclass


@dataclass(frozen=True)
class CriticConfig:
    hidden: int
    gamma: float
    tau: float
    learning_rate: float
