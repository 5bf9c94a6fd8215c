"""A network with batch norm for tables of numbers."""
import flax.linen as nn


class Table(nn.Module):
    classes: int

    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(8)(x)
        x = nn.BatchNorm(use_running_average=train, momentum=0.8)(x)  # mistake
        return nn.Dense(self.classes)(nn.relu(x))
