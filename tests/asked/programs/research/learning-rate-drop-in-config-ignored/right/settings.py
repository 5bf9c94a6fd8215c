from dataclasses import dataclass, field


@dataclass
class Settings:
    learning_rate: float = 0.2
    momentum: float = 0.8
    batch_size: int = 64
    epochs: int = 6
    milestones: tuple[int, ...] = field(default=(2, 4))
    drop: float = 0.1


settings = Settings()
