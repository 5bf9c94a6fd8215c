from collections.abc import Sequence

import flax.linen as nn


class TemporalConvNet(nn.Module):
    channels: Sequence[int]

    @nn.compact
    def __call__(self, x, train: bool):
        for i, width in enumerate(self.channels):
            x = nn.Conv(width, (3,), kernel_dilation=(2**i,), padding="CAUSAL")(x)
            x = nn.BatchNorm(use_running_average=not train, momentum=0.9)(x)
            x = nn.relu(x)
        return nn.Dense(1)(x[:, -1])[:, 0]
