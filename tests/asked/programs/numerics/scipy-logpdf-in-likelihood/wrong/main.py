import jax
import jax.numpy as jnp
import numpy as np

from model import LinearModel
from hmc import HMC


def make_data(n=80, seed=5):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, n)
    y = 0.7 + 1.9 * x + rng.normal(0, 0.3, n)
    return jnp.asarray(x, jnp.float32), jnp.asarray(y, jnp.float32)


def main():
    x, y = make_data()
    model = LinearModel(prior_scale=5.0)
    sampler = HMC(lambda theta: model.log_posterior(theta, x, y), step_size=0.02, n_leapfrog=10)
    samples, accept = sampler.run(jax.random.key(1), jnp.zeros(3), n_samples=400)
    burned = samples[100:]
    print("acceptance", round(float(accept.mean()), 2))
    print("posterior mean", np.round(np.asarray(burned.mean(0)), 1))


if __name__ == "__main__":
    main()
