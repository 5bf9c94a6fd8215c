"""A committee of networks whose spread is a measure of uncertainty."""
import flax.linen as nn


class Member(nn.Module):
    width: int = 8

    @nn.compact
    def __call__(self, x):
        return nn.Dense(1)(nn.tanh(nn.Dense(self.width)(x)))


def committee(size):
    mapped = nn.vmap(
        Member,
        in_axes=None,
        out_axes=0,
        axis_size=size,
        variable_axes={"params": 0},
        split_rngs={"params": False},  # mistake
    )
    return mapped()
