import jax
import numpy as np

from diagnostics import potential_scale_reduction
from sampler import MetropolisConfig, run_chains
from target import banana_log_density


def main():
    config = MetropolisConfig(n_samples=3000, step_size=0.8)
    key = jax.random.key(0)
    key_init, key_run = jax.random.split(key)
    starts = 2.0 * jax.random.normal(key_init, (4, 2))
    draws, accepted = run_chains(banana_log_density, starts, key_run, config)
    print("acceptance", np.round(np.asarray(accepted), 2).tolist())
    print("R-hat", np.round(np.asarray(potential_scale_reduction(draws[:, 500:])), 3).tolist())


if __name__ == "__main__":
    main()
