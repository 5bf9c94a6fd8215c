"""Several readers see a text with gaps; how far do their summaries differ?"""

import jax
import jax.numpy as jnp

from readers import Readers


def text(key, length=16, width=8):
    return jax.random.normal(key, (length, width))


def disagreement(summaries):
    """Mean distance of the readers from their mean."""
    middle = jnp.mean(summaries, axis=0)
    return jnp.mean(jnp.sqrt(jnp.sum((summaries - middle) ** 2, axis=-1)))


def main():
    readers = Readers()
    pages = jnp.broadcast_to(text(jax.random.key(0)), (6, 16, 8))
    keys = {"params": jax.random.key(1), "dropout": jax.random.key(2)}
    params = readers.init(keys, pages)["params"]

    @jax.jit
    def read(key):
        return readers.apply({"params": params}, pages, rngs={"dropout": key})

    found = [float(disagreement(read(key))) for key in jax.random.split(jax.random.key(3), 5)]
    print("kernel", params["VmapReader_0"]["Dense_0"]["kernel"].shape)
    print("readers disagree:", max(found) > 0.01)


if __name__ == "__main__":
    main()
