import jax

NOISE = 0.4


def corrupt(key, clean):
    """Adds noise as of a cheap sensor."""
    noise = jax.random.normal(key, clean.shape)
    return clean + NOISE * noise
