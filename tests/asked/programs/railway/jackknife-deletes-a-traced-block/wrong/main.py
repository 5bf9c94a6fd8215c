import jax.numpy as jnp
import numpy as np

from fst import hudson_terms
from jackknife import block_jackknife


def simulate_frequencies(rng, n_sites, drift):
    ancestral = rng.beta(0.8, 0.8, size=n_sites)
    spread = np.sqrt(drift * ancestral * (1 - ancestral))
    draws = ancestral + spread * rng.normal(size=(2, n_sites))
    return jnp.asarray(np.clip(draws, 0.0, 1.0), dtype=jnp.float32)


def main():
    p1, p2 = simulate_frequencies(np.random.default_rng(7), 4000, drift=0.1)
    numerator, denominator = hudson_terms(p1, p2, n1=40, n2=40)
    estimate, error = block_jackknife(numerator, denominator, n_blocks=20)
    print("Fst", round(float(estimate), 4), "+/-", round(float(error), 4))


if __name__ == "__main__":
    main()
