"""Preprocess a batch on the device."""
import jax
import jax.numpy as jnp
import numpy as np

from augment import cutout, normalise


@jax.jit
def preprocess(key, batch):
    keys = jax.random.split(key, batch.shape[0])
    return jax.vmap(lambda k, image: normalise(cutout(k, image)))(keys, batch)


def loader(rng, batches, size=4):
    for _ in range(batches):
        yield rng.uniform(0.5, 1.0, (size, 10, 10)).astype(np.float32)


def main():
    key = jax.random.key(1)
    for index, batch in enumerate(loader(np.random.default_rng(0), 3)):
        out = preprocess(jax.random.fold_in(key, index), batch)
        print(out.shape, round(float(jnp.mean(out)), 3))


if __name__ == "__main__":
    main()
