"""Augment a batch of spectrogram patches."""
import jax
import jax.numpy as jnp

from augment import jitter


@jax.jit
def augment_batch(key, images):
    keys = jax.random.split(key, images.shape[0])
    return jax.vmap(jitter)(keys, images)


def main():
    images = jnp.ones((16, 8, 8))
    key = jax.random.key(0)
    for epoch in range(2):
        key, batch_key = jax.random.split(key)
        batch = augment_batch(batch_key, images)
        print("epoch", epoch, "images differ", bool(jnp.any(batch[0] != batch[1])))


if __name__ == "__main__":
    main()
