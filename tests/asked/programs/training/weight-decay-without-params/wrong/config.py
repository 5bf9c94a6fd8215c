"""Settings of an experiment."""
from dataclasses import dataclass

import optax


@dataclass(frozen=True)
class Settings:
    learning_rate: float = 1e-2
    weight_decay: float = 1e-3
    clip: float = 1.0
    steps: int = 50

    def optimizer(self):
        return optax.chain(
            optax.clip_by_global_norm(self.clip),
            optax.adamw(self.learning_rate, weight_decay=self.weight_decay),
        )
