import jax
import jax.numpy as jnp

from calibration import price_and_greeks
from heston import HestonParams


def main():
    params = HestonParams(kappa=1.0, theta=0.04, xi=0.5, rho=-0.6, v0=0.03)
    strikes = jnp.array([90.0, 100.0, 110.0])
    prices, slopes = price_and_greeks(params, strikes, jax.random.key(33), n_paths=4000, n_steps=50)
    print("prices", [round(p, 2) for p in prices.tolist()])
    for name, value in slopes._asdict().items():
        print("d total price / d", name, round(float(value), 2))


if __name__ == "__main__":
    main()
