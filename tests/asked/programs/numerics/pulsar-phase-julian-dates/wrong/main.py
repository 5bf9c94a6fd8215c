import jax
import numpy as np

from folding import fold, period_search
from observations import simulate_arrivals


def describe(profile):
    contrast = float((profile.max() - profile.min()) / profile.mean())
    return f"pulse contrast {contrast:.2f}"


def main():
    true_period = 0.0714
    arrivals = simulate_arrivals(n_photons=4000, period=true_period, seed=12)
    trial = np.linspace(0.0710, 0.0718, 401)
    best, power = period_search(arrivals, trial)
    profile = jax.device_get(fold(arrivals, best, n_bins=16))
    print("best period", round(float(best), 5), "true", true_period)
    print("peak power", round(float(power), 1))
    print(describe(profile))


if __name__ == "__main__":
    main()
