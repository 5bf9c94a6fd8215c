import jax
import jax.numpy as jnp
import numpy as np

from data import yearly_accidents
from model import AccidentModel
from sampler import random_walk


def main():
    model = AccidentModel(jnp.asarray(yearly_accidents(np.random.default_rng(1))))
    start = {"log_early": jnp.zeros(()), "log_late": jnp.zeros(()), "change": jnp.float32(30.0)}
    scales = {"log_early": 0.15, "log_late": 0.2, "change": 3.0}
    print("log posterior at the start", round(float(model.log_posterior(start)), 2))
    draws, accepted = random_walk(model.log_posterior, start, scales, jax.random.key(0), n_samples=4000)
    for name in ("log_early", "log_late"):
        print(name[4:], round(float(jnp.exp(draws[name][1000:]).mean()), 1))
    print("change after", round(float(draws["change"][1000:].mean())), "years")
    print("accepted", round(float(accepted), 2))


if __name__ == "__main__":
    main()
