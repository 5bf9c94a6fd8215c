from typing import Sequence

import flax.linen as nn


class NormMLP(nn.Module):
    features: Sequence[int]
    classes: int

    @nn.compact
    def __call__(self, x, train: bool):
        x = nn.BatchNorm(
            use_running_average=not train, momentum=0.9, name="input_norm"
        )(x)
        for f in self.features:
            x = nn.Dense(f)(x)
            x = nn.relu(x)
        return nn.Dense(self.classes)(x)
