import jax
import jax.numpy as jnp
import numpy as np

from hmc import LatticeHMC, Phi4Action


def observables(configs):
    magnetization = jnp.abs(configs.mean(axis=(1, 2)))
    return magnetization.mean(), (configs**2).mean()


def main():
    action = Phi4Action(kappa=0.2, lam=0.02)
    sampler = LatticeHMC(action, step_size=0.1, num_leapfrog=10)
    start_key, chain_key = jax.random.split(jax.random.key(2024))
    phi = 0.1 * jax.random.normal(start_key, (8, 8))
    configs, accepted = sampler.sample(phi, chain_key, num_samples=200)
    magnetization, phi2 = observables(configs[50:])
    print("acceptance", round(float(accepted.mean()), 3))
    print("|m|", round(float(magnetization), 3), "phi^2", round(float(phi2), 3))
    print("max |dH|", np.round(sampler.max_energy_error(), 4))


if __name__ == "__main__":
    main()
