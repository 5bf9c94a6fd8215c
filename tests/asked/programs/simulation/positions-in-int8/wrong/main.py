"""Add sinusoidal positions to long records of sensors."""
import jax
import jax.numpy as jnp

from masks import mask_of, positions


def encode(position, features=4):
    frequencies = 0.1 ** jnp.arange(features // 2)
    angles = position[..., None] * frequencies
    return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)


@jax.jit
def embed(records, lengths):
    mask = mask_of(lengths, records.shape[1])
    position = positions(mask)
    return (records[..., None] + encode(position)) * mask[..., None], position


def main():
    records = jax.random.normal(jax.random.key(0), (2, 160))
    embedded, position = embed(records, jnp.array([150, 20]))
    print("embedded", embedded.shape)
    print("last position", int(position[0, 149]))


if __name__ == "__main__":
    main()
