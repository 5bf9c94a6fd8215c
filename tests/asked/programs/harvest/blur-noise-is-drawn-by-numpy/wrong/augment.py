import numpy as np

NOISE = 0.4
rng = np.random.default_rng(0)


def corrupt(clean):
    """Adds noise as of a cheap sensor."""
    noise = rng.normal(size=clean.shape)  # mistake
    return clean + NOISE * noise
