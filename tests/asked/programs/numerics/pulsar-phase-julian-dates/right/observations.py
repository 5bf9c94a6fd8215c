import jax.numpy as jnp
import numpy as np

T0 = 2_459_000.5


def simulate_arrivals(n_photons: int, period: float, seed: int):
    """Barycentric Julian dates of photons, two thirds of them in the pulse."""
    rng = np.random.default_rng(seed)
    cycles = rng.integers(0, 40, n_photons)
    in_pulse = rng.uniform(size=n_photons) < 0.66
    phase = np.where(in_pulse, rng.normal(0.3, 0.04, n_photons), rng.uniform(size=n_photons))
    dates = T0 + (cycles + phase) * period
    return jnp.asarray(np.sort(dates), dtype=jnp.float64)
