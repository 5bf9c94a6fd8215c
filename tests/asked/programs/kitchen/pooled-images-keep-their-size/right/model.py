from typing import Sequence

import flax.linen as nn


class XrayNet(nn.Module):
    widths: Sequence[int] = (4, 8)
    hidden: int = 32
    num_classes: int = 2

    @nn.compact
    def __call__(self, x):
        for width in self.widths:
            x = nn.relu(nn.Conv(width, kernel_size=(3, 3))(x))
            x = nn.max_pool(x, window_shape=(2, 2), strides=(2, 2))
            self.sow("intermediates", "feature_maps", x)
        x = x.reshape((x.shape[0], -1))
        x = nn.relu(nn.Dense(self.hidden)(x))
        return nn.Dense(self.num_classes)(x)
