from flax import nnx


class CropNet(nnx.Module):
    def __init__(self, n_bands, n_classes, *, rngs: nnx.Rngs):
        self.fc1 = nnx.Linear(n_bands, 32, rngs=rngs)
        self.bn = nnx.BatchNorm(32, momentum=0.9, rngs=rngs)
        self.fc2 = nnx.Linear(32, n_classes, rngs=rngs)

    def __call__(self, x):
        return self.fc2(nnx.relu(self.bn(self.fc1(x))))
