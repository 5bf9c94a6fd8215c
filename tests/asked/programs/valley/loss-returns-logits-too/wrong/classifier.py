import flax.linen as nn


class Classifier(nn.Module):
    num_classes: int
    hidden: int = 48

    @nn.compact
    def __call__(self, x):
        for _ in range(2):
            x = nn.silu(nn.Dense(self.hidden)(x))
        return nn.Dense(self.num_classes)(x)
