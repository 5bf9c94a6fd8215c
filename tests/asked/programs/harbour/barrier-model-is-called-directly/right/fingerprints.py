import numpy as np


def random_reactions(count: int, bits: int, seed: int):
    rng = np.random.default_rng(seed)
    reactant = rng.integers(0, 2, size=(count, bits)).astype(np.float32)
    flips = rng.random((count, bits)) < 0.15
    product = np.where(flips, 1.0 - reactant, reactant).astype(np.float32)
    weights = np.random.default_rng(7).normal(size=bits)
    barrier = 20.0 + np.abs(product - reactant) @ np.abs(weights) + 0.5 * reactant @ weights
    return reactant, product, barrier.astype(np.float32)
