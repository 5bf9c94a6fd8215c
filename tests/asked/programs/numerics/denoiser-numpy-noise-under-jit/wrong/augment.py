import numpy as np


def corrupt(images, sigma: float):
    noise = np.random.normal(size=images.shape).astype(np.float32)  # mistake
    return images + sigma * noise
