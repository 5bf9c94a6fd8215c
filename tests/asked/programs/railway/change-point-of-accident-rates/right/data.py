import numpy as np

N_YEARS = 60


def yearly_accidents(rng):
    rate = np.where(np.arange(N_YEARS) < 25, 3.2, 0.9)
    return rng.poisson(rate)
