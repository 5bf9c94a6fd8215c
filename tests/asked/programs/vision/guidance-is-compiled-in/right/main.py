"""Which strength of guidance gives the best pictures?"""

import jax
import jax.numpy as jnp
from sampler import sample

names = []
jax.monitoring.register_event_duration_secs_listener(
    lambda event, seconds, **_: names.append(event) if "backend_compile" in event else None
)


def quality(x, target):
    return -jnp.mean((x - target) ** 2)


def main():
    means = jnp.array([[1.0, 0.0, -1.0, 0.5], [-1.0, 1.0, 0.0, 0.0]])
    params = {"means": means}
    key = jax.random.key(3)
    float(quality(sample(params, key, 0, count=16, strength=1.0), means[0]))
    before = len(names)
    scores = {}
    for strength in (1.5, 2.0, 2.5, 3.0):
        pictures = sample(params, key, 0, count=16, strength=strength)
        scores[strength] = float(quality(pictures, means[0]))
    print("strengths", len(scores))
    print("compiled again:", len(names) > before)


if __name__ == "__main__":
    main()
