import jax
import jax.numpy as jnp
import numpy as np

from abc_rejection import rejection
from simulator import log_prices, sample_prior


def report(name, draws):
    print(name, "mean", round(float(draws.mean()), 3), "std", round(float(draws.std()), 3))


if __name__ == "__main__":
    rng = np.random.default_rng(2)
    observed = jnp.asarray(rng.normal(0.5, 1.0, size=4), dtype=jnp.float32)
    thetas, noise_like, keep = rejection(
        jax.random.key(17), sample_prior, log_prices, observed, n_simulations=20_000, n_keep=400
    )
    first_step = noise_like[:, 0] - thetas
    print("correlation of parameter and noise", round(float(jnp.corrcoef(thetas, first_step)[0, 1]), 3))
    report("prior", thetas)
    report("posterior", thetas[keep])
    exact = 4 * observed.mean() / 5
    print("exact posterior mean", round(float(exact), 3), "std", round(float(jnp.sqrt(1 / 5)), 3))
