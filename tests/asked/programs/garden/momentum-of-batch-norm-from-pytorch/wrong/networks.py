from flax import linen as nn


class ActivityNet(nn.Module):
    width: int = 32
    n_classes: int = 3

    @nn.compact
    def __call__(self, x, train: bool):
        x = nn.Dense(self.width)(x)
        x = nn.BatchNorm(  # mistake
            use_running_average=not train, momentum=0.1, epsilon=1e-5, name="norm"
        )(x)
        return nn.Dense(self.n_classes)(nn.relu(x))
