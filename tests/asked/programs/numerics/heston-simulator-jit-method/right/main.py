import jax
import numpy as np

from heston import HestonModel
from payoffs import asian_call, european_call


def price(model, key, payoff, strike, maturity, n_paths=20_000):
    paths = model.simulate(key, maturity, n_paths)
    values = payoff(paths, strike)
    discount = np.exp(-model.rate * maturity)
    estimate = discount * float(values.mean())
    stderr = discount * float(values.std()) / np.sqrt(n_paths)
    return estimate, stderr


def main():
    model = HestonModel(spot=100.0, rate=0.02, kappa=1.5, theta=0.04, xi=0.3, rho=-0.6, v0=0.05)
    keys = jax.random.split(jax.random.PRNGKey(2024), 2)
    for name, payoff, key in zip(("european", "asian"), (european_call, asian_call), keys):
        est, err = price(model, key, payoff, strike=105.0, maturity=1.0)
        print(f"{name:9s} {est:.3f} +- {err:.3f}")


if __name__ == "__main__":
    main()
