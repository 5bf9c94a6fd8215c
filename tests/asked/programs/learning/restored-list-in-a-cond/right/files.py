"""Keep the parameters and the optimizer state of a run."""
import pickle

import jax
import numpy as np


def save(file, params, opt_state):
    parts = [jax.tree.map(np.asarray, part) for part in opt_state]
    pickle.dump((np.asarray(params), parts), file)


def load(file):
    params, parts = pickle.load(file)
    return params, tuple(parts)
