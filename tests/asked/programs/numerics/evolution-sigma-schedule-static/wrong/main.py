import time

import jax
import jax.numpy as jnp
import numpy as np

from pendulum import episode_return
from strategy import generation, init_policy


def decayed(sigma0: float, decay: float, gen: int) -> float:
    return sigma0 * decay**gen


def main():
    config = {"popsize": 64, "generations": 5, "sigma0": 0.4, "decay": 0.97, "lr": 0.3}
    key, init_key = jax.random.split(jax.random.key(10))
    theta, unravel = init_policy(init_key, hidden=8)

    begin = time.perf_counter()
    returns = []
    for gen, gen_key in enumerate(jax.random.split(key, config["generations"])):
        sigma = decayed(config["sigma0"], config["decay"], gen)
        theta, mean_return = generation(  # mistake
            theta,
            gen_key,
            config["lr"],
            sigma=sigma,  # mistake
            popsize=config["popsize"],
            unravel=unravel,
        )
        returns.append(float(mean_return))
    elapsed = time.perf_counter() - begin

    final = episode_return(unravel(theta), jnp.array([np.pi, 0.0]))
    print("population return", round(returns[0], 1), "->", round(returns[-1], 1))
    print("mean policy return", round(float(final), 1))
    print("compiled versions:", generation._cache_size(), f"({elapsed:.1f} s)")


if __name__ == "__main__":
    main()
