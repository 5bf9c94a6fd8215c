from flax import nnx


class SpectrogramNet(nnx.Module):
    def __init__(self, n_classes: int, *, rngs: nnx.Rngs):
        self.conv1 = nnx.Conv(1, 8, kernel_size=(3, 3), rngs=rngs)
        self.conv2 = nnx.Conv(8, 16, kernel_size=(3, 3), rngs=rngs)
        self.fc = nnx.Linear(16 * 4 * 8, n_classes, rngs=rngs)

    def features(self, x):
        x = nnx.max_pool(nnx.relu(self.conv1(x)), (2, 2), strides=(2, 2))
        x = nnx.max_pool(nnx.relu(self.conv2(x)), (2, 2), strides=(2, 2))
        return x

    def __call__(self, x):
        x = self.features(x)
        x = x.view(x.shape[0], -1)  # mistake
        return self.fc(x)
