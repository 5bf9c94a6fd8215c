"""Learning rates."""


def cosine_like(step, total, peak=0.1):
    return peak * (1.0 - step / total) ** 2
