import jax
import jax.numpy as jnp

from epidemic import SIRConfig
from predictive import posterior_predictive, summarise


def fake_posterior(key, n_draws):
    k_beta, k_gamma = jax.random.split(key)
    return {
        "beta": 0.5 + 0.05 * jax.random.normal(k_beta, (n_draws,)),
        "gamma": 0.2 + 0.02 * jax.random.normal(k_gamma, (n_draws,)),
    }


if __name__ == "__main__":
    config = SIRConfig(population=5000, infected=10, days=60)
    key_draws, key_sim = jax.random.split(jax.random.key(20))
    draws = fake_posterior(key_draws, 60)
    cases = posterior_predictive(key_sim, draws, config)
    low, mid, high = summarise(cases)
    print("peak of the median", round(float(mid.max())))
    print("day of the peak", int(jnp.argmax(mid)))
    print("width at day 30", round(float(high[30] - low[30])))
