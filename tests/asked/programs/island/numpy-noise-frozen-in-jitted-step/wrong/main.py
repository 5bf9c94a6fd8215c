import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

from augment import add_noise
from keyword_net import KeywordNet


def chirps(n: int, seed: int, length: int = 256):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, size=n)
    t = np.linspace(0, 1, length)
    slope = np.array([-20.0, 0.0, 20.0])[labels][:, None]
    phase = rng.uniform(0, 2 * np.pi, size=(n, 1))
    wave = np.sin(2 * np.pi * (30 * t + 0.5 * slope * t**2) + phase)
    return wave.astype(np.float32), labels.astype(np.int32)


@nnx.jit
def train_step(model, optimizer, rngs, waves, labels):
    noisy = add_noise(waves, rngs, level=0.5)

    def loss_fn(model):
        logits = model(noisy)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
    return loss, noisy - waves


@nnx.jit
def accuracy(model, waves, labels):
    return jnp.mean(model(waves).argmax(axis=-1) == labels)


def main():
    rngs = nnx.Rngs(0, noise=7)
    model = KeywordNet(num_classes=3, rngs=rngs)
    optimizer = nnx.Optimizer(model, optax.adam(5e-3), wrt=nnx.Param)
    waves, labels = chirps(256, seed=0)
    previous, repeats = None, 0
    for epoch in range(8):
        for i in range(0, 256, 64):
            loss, noise = train_step(model, optimizer, rngs, waves[i : i + 64], labels[i : i + 64])
            noise = np.asarray(noise).ravel()
            if previous is not None and np.corrcoef(noise, previous)[0, 1] > 0.9:
                repeats += 1
            previous = noise
    print("loss", round(float(loss), 3), "clean accuracy", float(accuracy(model, *chirps(128, seed=1))))
    print("steps with the noise of the step before:", repeats)


if __name__ == "__main__":
    main()
