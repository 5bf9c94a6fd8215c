import jax
import jax.numpy as jnp


@jax.jit
def site_frequency_spectrum(genotypes):
    n_chromosomes = genotypes.shape[0]
    derived = genotypes.sum(axis=0)
    counts = jnp.zeros(n_chromosomes + 1, dtype=jnp.int32)
    return counts.at[derived].add(1)


def normalised(sfs):
    return sfs / sfs.sum()
