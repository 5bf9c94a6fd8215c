from flax import linen as nn


class Backbone(nn.Module):
    width: int = 32

    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(self.width)(x))
        return nn.relu(nn.Dense(self.width)(x))


class FlowerNet(nn.Module):
    n_classes: int = 3

    def setup(self):
        self.backbone = Backbone()
        self.head = nn.Dense(self.n_classes)

    def __call__(self, x):
        return self.head(self.backbone(x))
