import numpy as np
import optax
from flax import nnx

from mixer import Mixer


def loss_fn(model, images, labels):
    logits = model(images)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean(), logits


@nnx.jit
def train_step(model, optimizer, metrics, images, labels):
    grad_fn = nnx.value_and_grad(loss_fn, has_aux=True)
    (loss, logits), grads = grad_fn(model, images, labels)
    metrics.update(loss=loss, logits=logits, labels=labels)
    optimizer.update(model, grads)


def make_data(rng, n):
    labels = rng.integers(0, 2, size=n)
    images = 0.5 * rng.normal(size=(n, 12, 12))
    stripes = np.sin(np.arange(12))
    images += np.where(labels[:, None, None], stripes[None, None, :], stripes[None, :, None])
    return images.astype(np.float32), labels


def main():
    rng = np.random.default_rng(0)
    model = Mixer(patch=4, size=12, dim=16, depth=2, classes=2, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(2e-3), wrt=nnx.Param)
    metrics = nnx.MultiMetric(accuracy=nnx.metrics.Accuracy(), loss=nnx.metrics.Average("loss"))
    for step in range(1, 61):
        images, labels = make_data(rng, 64)
        train_step(model, optimizer, metrics, images, labels)
        if step % 20 == 0:
            print(step, {k: round(float(v), 3) for k, v in metrics.compute().items()})
            metrics.reset()


if __name__ == "__main__":
    main()
