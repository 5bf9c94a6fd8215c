"""A small convolutional network."""
import haiku as hk
import jax


class Block(hk.Module):
    def __init__(self, channels, name=None):
        super().__init__(name=name)
        self.conv = hk.Conv2D(channels, kernel_shape=3)
        self.norm = hk.BatchNorm(create_scale=True, create_offset=True, decay_rate=0.9)

    def __call__(self, images, is_training):
        return jax.nn.relu(self.norm(self.conv(images), is_training))


def classify(images, is_training):
    hidden = Block(4)(images, is_training)
    return hk.Linear(3)(hidden.mean(axis=(1, 2)))


model = hk.transform(classify)  # mistake
