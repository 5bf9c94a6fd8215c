import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

from model import ConvNet


def digits(seed: int, n: int):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, n)
    images = 0.2 * rng.normal(size=(n, 12, 12, 1))
    for i, label in enumerate(labels):
        images[i, 4 * label : 4 * label + 4, :, 0] += 1.0
    return images.astype(np.float32), labels.astype(np.int32)


def loss_fn(model: ConvNet, images, labels):
    logits = model(images)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@nnx.jit
def mean_activation(model, batch):
    return jnp.abs(model(batch)).mean()


def calibrate(model: ConvNet, images, batch_size: int):
    model.train()
    means = [mean_activation(model, images[i : i + batch_size]) for i in range(0, len(images), batch_size)]
    return float(jnp.stack(means).mean())


@nnx.jit
def train_step(model, optimizer, images, labels):
    loss, grads = nnx.value_and_grad(loss_fn)(model, images, labels)
    optimizer.update(model, grads)
    return loss


@nnx.jit
def accuracy(model, images, labels):
    return jnp.mean(model(images).argmax(-1) == labels)


def main():
    model = ConvNet(3, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(3e-3), wrt=nnx.Param)
    images, labels = digits(0, 128)
    for step in range(12):
        i = (step * 32) % 128
        loss = train_step(model, optimizer, images[i : i + 32], labels[i : i + 32])
    print(f"train loss {loss:.4f}")
    print("mean activation", round(calibrate(model, images, 32), 3))
    model.eval()
    print("accuracy", accuracy(model, *digits(1, 96)))


if __name__ == "__main__":
    main()
