import jax
import numpy as np
import optax
from flax import nnx

from train import train_step
from vae import VAE


def bars(rng, count, size=8):
    images = np.zeros((count, size, size), np.float32)
    for image in images:
        if rng.uniform() < 0.5:
            image[rng.integers(size)] = 1.0
        else:
            image[:, rng.integers(size)] = 1.0
    return images.reshape(count, -1)


def main():
    rng = np.random.default_rng(0)
    images = bars(rng, 1024)
    model = VAE(images.shape[1], 64, 8, rngs=nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(2e-3), wrt=nnx.Param)
    epoch_keys = jax.random.split(jax.random.key(9), 5)
    for epoch, epoch_key in enumerate(epoch_keys):
        order = rng.permutation(len(images)).reshape(-1, 64)
        for rows, key in zip(order, jax.random.split(epoch_key, len(order))):
            loss, parts = train_step(model, optimizer, images[rows], key, 1.0)
        print(f"epoch {epoch}: loss {loss:.2f} recon {parts['recon']:.2f} kl {parts['kl']:.2f}")


if __name__ == "__main__":
    main()
