"""Fit the matter density to a supernova Hubble diagram."""
import jax
import jax.numpy as jnp
import numpy as np

SPEED_OF_LIGHT = 299_792.458
Z_GRID = np.linspace(0.0, 1.5, 301)
STEP = float(Z_GRID[1] - Z_GRID[0])


def hubble_rate(z, params):
    return params["h0"] * jnp.sqrt(params["omega_m"] * (1 + z) ** 3 + 1 - params["omega_m"])


def comoving_distance(z, params):
    """Cumulative trapezoid on a fixed grid, interpolated to the redshifts."""
    integrand = SPEED_OF_LIGHT / hubble_rate(Z_GRID, params)
    pieces = 0.5 * STEP * (integrand[1:] + integrand[:-1])
    table = jnp.concatenate([jnp.zeros(1), jnp.cumsum(pieces)])
    return jnp.interp(z, Z_GRID, table)


def distance_modulus(z, params):
    luminosity = (1 + z) * comoving_distance(z, params)
    return 5 * jnp.log10(luminosity) + 25


def chi2(omega_m, data):
    params = {"h0": 70.0, "omega_m": omega_m}
    residual = (data["mu"] - distance_modulus(data["z"], params)) / data["sigma"]
    return jnp.sum(residual**2)


def mock_survey(rng, n=80):
    z = np.sort(rng.uniform(0.05, 1.2, n))
    grid = 1 / np.sqrt(0.3 * (1 + Z_GRID) ** 3 + 0.7)
    table = np.concatenate([[0.0], np.cumsum(0.5 * STEP * (grid[1:] + grid[:-1]))])
    distance = SPEED_OF_LIGHT / 70.0 * np.interp(z, Z_GRID, table)
    mu = 5 * np.log10((1 + z) * distance) + 25 + rng.normal(0.0, 0.1, n)
    return {"z": z, "mu": mu, "sigma": np.full(n, 0.1)}


def main():
    data = mock_survey(np.random.default_rng(8))
    slope = jax.jit(jax.value_and_grad(chi2))
    omega_m = jnp.array(0.5)
    for _ in range(30):
        value, gradient = slope(omega_m, data)
        omega_m = omega_m - jnp.clip(5e-5 * gradient, -0.1, 0.1)
    print(f"omega_m = {float(omega_m):.2f}")
    print(f"chi2 per point = {float(value) / data['z'].size:.1f}")


if __name__ == "__main__":
    main()
