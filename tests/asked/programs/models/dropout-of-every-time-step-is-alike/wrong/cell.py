"""A recurrent cell with dropout on its inputs."""
import flax.linen as nn


class Cell(nn.Module):
    features: int
    rate: float

    @nn.compact
    def __call__(self, state, x):
        dropped = nn.Dropout(self.rate, deterministic=False)(x)
        state = nn.tanh(nn.Dense(self.features)(state) + nn.Dense(self.features)(dropped))
        return state, (state, dropped == 0.0)
