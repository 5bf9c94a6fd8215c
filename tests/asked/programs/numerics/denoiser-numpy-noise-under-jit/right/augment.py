import jax


def corrupt(key, images, sigma: float):
    noise = jax.random.normal(key, images.shape, images.dtype)
    return images + sigma * noise
