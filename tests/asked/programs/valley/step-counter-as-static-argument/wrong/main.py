import time

import jax
import jax.numpy as jnp
import numpy as np

from annealing import AnnealConfig, anneal_step
from targets import double_well


def run_chain(key, cfg: AnnealConfig, num_chains: int):
    init_key, key = jax.random.split(key)
    x = 2.0 * jax.random.normal(init_key, (num_chains, 2))
    durations, accepted = [], []
    for step in range(cfg.total_steps):
        key, step_key = jax.random.split(key)
        begin = time.perf_counter()
        x, rate = anneal_step(step_key, x, step, cfg)  # mistake
        x.block_until_ready()
        durations.append(time.perf_counter() - begin)
        accepted.append(rate)
    return x, jnp.stack(accepted), np.asarray(durations)


def main():
    cfg = AnnealConfig(total_steps=8, t_start=4.0, t_end=0.1, step_size=0.5)
    x, accepted, durations = run_chain(jax.random.PRNGKey(4), cfg, 256)
    print("energy", jnp.round(double_well(x).mean(), 3))
    print("accepted", jnp.round(accepted[::2], 2))
    print(f"median iteration {1e3 * np.median(durations[1:]):.2f} ms")


if __name__ == "__main__":
    main()
