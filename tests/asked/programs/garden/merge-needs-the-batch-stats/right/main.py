import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

from averaging import WeightAverage
from net import CropNet


def field_spectra(n, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, n).astype(np.int32)
    bands = np.linspace(0, 1, 20)
    curves = np.exp(-((bands - 0.25 * (labels[:, None] + 1)) ** 2) / 0.02)
    return (curves + 0.4 * rng.normal(size=curves.shape)).astype(np.float32), labels


@nnx.jit
def train_step(model, optimizer, x, y):
    def loss_fn(model):
        logits = model(x)
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss


@nnx.jit
def accuracy(model, x, y):
    return jnp.mean(model(x).argmax(-1) == y)


def main():
    model = CropNet(20, 3, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
    average = WeightAverage(model, decay=0.9)
    for step in range(40):
        x, y = field_spectra(64, seed=step)
        loss = train_step(model, optimizer, x, y)
        average.update(model)
    x_test, y_test = field_spectra(256, seed=1000)
    averaged = average.build(model)
    averaged.eval()
    print(f"last loss {float(loss):.3f}")
    print("averaged weights:", round(float(accuracy(averaged, x_test, y_test)), 3))


if __name__ == "__main__":
    main()
