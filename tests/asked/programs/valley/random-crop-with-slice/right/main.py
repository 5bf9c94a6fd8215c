from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from augment import AugmentConfig, augment_batch


def synthetic_images(n, size, seed=0):
    rng = np.random.default_rng(seed)
    ramp = np.linspace(0, 1, size)
    base = ramp[None, :, None] * ramp[None, None, :]
    images = base + 0.1 * rng.normal(size=(n, size, size))
    return images[..., None].astype(np.float32)


def main():
    cfg = AugmentConfig(pad=2, crop=16, jitter=0.1)
    images = synthetic_images(64, 16)
    pipeline = jax.jit(partial(augment_batch, cfg=cfg))
    key = jax.random.key(0)
    for epoch in range(3):
        key, epoch_key = jax.random.split(key)
        out = pipeline(epoch_key, images)
        print(f"epoch {epoch} {out.shape} mean {jnp.mean(out):.4f} std {jnp.std(out):.4f}")


if __name__ == "__main__":
    main()
