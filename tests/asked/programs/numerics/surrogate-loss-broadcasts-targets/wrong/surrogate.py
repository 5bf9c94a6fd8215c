import flax.linen as nn


class Surrogate(nn.Module):
    widths: tuple

    @nn.compact
    def __call__(self, x):
        for w in self.widths:
            x = nn.silu(nn.Dense(w)(x))
        return nn.Dense(1)(x)  # mistake
