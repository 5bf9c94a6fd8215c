from functools import partial

import jax
import numpy as np

from es import ESConfig, init_state, tell
from tasks import TASKS
from worker import evaluate_member


def evolve(key, objective, cfg: ESConfig):
    key, init_key = jax.random.split(key)
    state = init_state(init_key, cfg)

    @jax.jit
    def generation(state, key):
        keys = jax.random.split(key, cfg.popsize)
        evaluate = jax.vmap(partial(evaluate_member, objective, state))  # mistake
        grads, fitness = evaluate(keys)
        return tell(state, grads[0], cfg), fitness.min()

    best = []
    for k in jax.random.split(key, cfg.generations):
        state, f = generation(state, k)
        best.append(float(f))
    return state, best


if __name__ == "__main__":
    cfg = ESConfig(dim=6, popsize=64, generations=120, lr=0.1, sigma=0.1)
    state, best = evolve(jax.random.key(0), TASKS["rosenbrock"], cfg)
    print("fitness first", round(best[0], 2), "last", round(best[-1], 2))
    print("mean", np.round(np.asarray(state.mean), 2))
