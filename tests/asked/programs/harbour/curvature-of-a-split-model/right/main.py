import jax
import numpy as np
import optax
from flax import nnx

from classifier import MachineSoundNet
from sharpness import largest_curvature


def spectra(count, bands=20, classes=4, seed=0):
    rng = np.random.default_rng(seed)
    label = rng.integers(classes, size=count)
    peak = 3 + 4 * label[:, None]
    shape = np.exp(-((np.arange(bands) - peak) ** 2) / 4.0)
    return (shape + 0.3 * rng.normal(size=shape.shape)).astype(np.float32), label


@nnx.jit
def train_step(model, optimizer, spectrum, label):
    def loss_fn(model):
        logits = model(spectrum)
        return optax.softmax_cross_entropy_with_integer_labels(logits, label).mean()

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


def main():
    spectrum, label = spectra(200)
    model = MachineSoundNet(20, 16, 4, nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.sgd(0.1, momentum=0.9), wrt=nnx.Param)
    model.train()
    for step in range(60):
        loss = train_step(model, optimizer, spectrum, label)
        if step % 20 == 0:
            print(step, loss)
    model.eval()
    print("largest curvature", largest_curvature(model, spectrum, label, jax.random.key(1)))


if __name__ == "__main__":
    main()
