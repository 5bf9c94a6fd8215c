"""A classifier with dropout."""
import flax.linen as nn


class Classifier(nn.Module):
    classes: int

    @nn.compact
    def __call__(self, x, train):
        x = nn.relu(nn.Dense(32)(x))
        x = nn.Dropout(0.3, deterministic=not train)(x)
        return nn.Dense(self.classes)(x)
