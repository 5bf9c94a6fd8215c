"""Prepare mixed batches."""
import jax
import jax.numpy as jnp

from mixup import mixup

mix = jax.jit(mixup)


def main():
    images = jnp.linspace(0.0, 1.0, 48).reshape(8, 6)
    labels = jnp.arange(8.0)
    for key in jax.random.split(jax.random.key(0), 2):
        mixed, gap, targets = mix(key, images, labels)
        print(mixed.shape, targets.shape, "two different corruptions:", float(gap) > 0)


if __name__ == "__main__":
    main()
