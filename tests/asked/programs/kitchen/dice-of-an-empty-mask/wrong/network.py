from flax import nnx


class SliceNet(nnx.Module):
    def __init__(self, width: int, *, rngs: nnx.Rngs):
        self.conv1 = nnx.Conv(1, width, (3, 3), rngs=rngs)
        self.norm = nnx.GroupNorm(width, num_groups=4, rngs=rngs)
        self.conv2 = nnx.Conv(width, width, (3, 3), kernel_dilation=2, rngs=rngs)
        self.out = nnx.Conv(width, 1, (1, 1), rngs=rngs)

    def __call__(self, x):
        x = nnx.relu(self.norm(self.conv1(x)))
        x = x + nnx.relu(self.conv2(x))
        return self.out(x)[..., 0]
