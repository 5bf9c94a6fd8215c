import jax.numpy as jnp

from sequences import HYDROPATHY

TABLE = jnp.asarray(HYDROPATHY)


def codon_ids(bases):
    triplets = bases.reshape(-1, 3)
    return triplets @ jnp.array([16, 4, 1])


def hydropathy_profile(bases, window=5):
    ids = codon_ids(bases)
    values = TABLE[ids]
    kernel = jnp.ones(window) / window
    return jnp.convolve(values, kernel, mode="valid")


def summary(bases):
    profile = hydropathy_profile(bases)
    return jnp.stack([profile.mean(), profile.max(), profile.min()])
