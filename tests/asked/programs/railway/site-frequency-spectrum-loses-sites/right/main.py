import jax
import jax.numpy as jnp

from spectrum import normalised, site_frequency_spectrum
from wright_fisher import evolve


def sample_genotypes(key, frequencies, n_chromosomes):
    draws = jax.random.uniform(key, (n_chromosomes, frequencies.shape[0]))
    return (draws < frequencies).astype(jnp.int32)


def main():
    key_start, key_drift, key_sample = jax.random.split(jax.random.key(6), 3)
    start = jax.random.uniform(key_start, (3000,), minval=0.05, maxval=0.95)
    frequencies = evolve(key_drift, start, population=200, generations=150)
    genotypes = sample_genotypes(key_sample, frequencies, n_chromosomes=12)
    sfs = site_frequency_spectrum(genotypes)
    print("sites", genotypes.shape[1], "counted", int(sfs.sum()))
    print("spectrum", sfs.tolist())
    print("fixed or lost", round(float(normalised(sfs)[jnp.array([0, -1])].sum()), 3))


if __name__ == "__main__":
    main()
