from flax import linen as nn


class DigitMLP(nn.Module):
    n_pixels: int = 64
    n_hidden: int = 128
    n_classes: int = 10

    def setup(self):
        self.hidden = nn.Dense(self.n_hidden)
        self.out = nn.Dense(self.n_hidden, self.n_classes)  # mistake

    def __call__(self, images):
        x = images.reshape(-1, self.n_pixels)
        return self.out(nn.relu(self.hidden(x)))
