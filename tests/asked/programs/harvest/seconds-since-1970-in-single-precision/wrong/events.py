import numpy as np

START = 1_760_000_000.0


def clicks(rng, n):
    """Seconds since 1970 at which a page was visited."""
    return START + np.cumsum(rng.exponential(5.0, n))
