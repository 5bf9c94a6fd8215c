"""Recognise faulty seals, and test with the running averages of batch norm."""

import jax
import jax.numpy as jnp
import numpy as np

from seals import samples
from training import create, predict, update_step


def main():
    rng = np.random.default_rng(5)
    params, state, opt_state = create(jax.random.key(0))
    for _ in range(60):
        params, state, opt_state = update_step(params, state, opt_state, *samples(rng, 64))
    x, faulty = samples(rng, 400)
    guess = predict(params, state, x)
    average = state["batch_stats"]["BatchNorm_0"]["mean"]
    print("averages moved:", bool(jnp.any(jnp.abs(average) > 0.5)))
    print("most are right:", bool(jnp.mean(guess == faulty) > 0.8))


if __name__ == "__main__":
    main()
