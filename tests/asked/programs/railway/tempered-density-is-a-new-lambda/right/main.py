import jax
import jax.numpy as jnp

from smc import anneal
from target import log_likelihood, log_prior


def main():
    betas = [0.05, 0.15, 0.4, 1.0]
    key_init, key_run = jax.random.split(jax.random.key(4))
    particles = 3.0 * jax.random.normal(key_init, (400, 2))
    particles, n_compiled = anneal(key_run, particles, betas, log_prior, log_likelihood)
    print("distance from the origin", round(float(jnp.linalg.norm(particles, axis=1).mean()), 2))
    print("move compiled", n_compiled, "times for", len(betas), "temperatures")


if __name__ == "__main__":
    main()
