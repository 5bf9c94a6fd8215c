import jax
import jax.numpy as jnp
import numpy as np

from sampler import RandomWalkMetropolis
from targets import make_log_posterior


def simulate(n: int = 200, seed: int = 0):
    rng = np.random.default_rng(seed)
    design = np.column_stack([np.ones(n), rng.normal(size=n)])
    y = design @ np.array([0.5, -1.2]) + 0.4 * rng.normal(size=n)
    return jnp.asarray(design), jnp.asarray(y)


def main():
    design, y = simulate()
    log_posterior = make_log_posterior(design, y, noise=0.4, prior_scale=5.0)
    sampler = RandomWalkMetropolis(log_posterior, step_size=0.05)

    num_chains = 4
    key_init, key_run = jax.random.split(jax.random.key(1))
    starts = 0.1 * jax.random.normal(key_init, (num_chains, 2))
    chain_keys = jax.random.split(key_run, num_chains)
    run = jax.jit(jax.vmap(lambda k, p: sampler.run(k, p, 800)))
    final, draws = run(chain_keys, starts)

    kept = draws[:, 400:]
    print("posterior mean", np.round(kept.mean(axis=(0, 1)), 2))
    print("acceptance", np.round(final.accepted / 800, 2))


if __name__ == "__main__":
    main()
