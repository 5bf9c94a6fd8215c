import jax
import jax.numpy as jnp
import numpy as np

from reverse import LangevinSampler
from score import GaussianMixture, geometric_sigmas


def summarize(samples, mixture):
    dist = jnp.linalg.norm(samples[:, None] - mixture.means[None], axis=-1)
    nearest = jnp.argmin(dist, axis=1)
    spread = jnp.min(dist, axis=1)
    counts = np.bincount(np.asarray(nearest), minlength=mixture.means.shape[0])
    return counts / counts.sum(), float(jnp.sqrt(jnp.mean(spread**2)))


def main():
    mixture = GaussianMixture(
        means=jnp.array([[-2.0, 0.0], [2.0, 0.0], [0.0, 2.5]]),
        scale=0.3,
    )
    sampler = LangevinSampler(mixture.score, geometric_sigmas(3.0, 0.05, 12), steps_per_level=25)
    samples = jax.jit(sampler.sample, static_argnums=(1, 2))(jax.random.key(17), 512, 2)
    weights, spread = summarize(samples, mixture)
    print("mode weights", np.round(weights, 2))
    print("distance to the mode", round(spread, 3), "expected about", round(0.3 * 2**0.5, 3))


if __name__ == "__main__":
    main()
