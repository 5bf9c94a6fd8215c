import jax
import jax.numpy as jnp

from sampler import GuidedSampler


def main():
    centers = jnp.array([[1.0, 0.0], [-0.5, 0.9], [-0.5, -0.9]])
    sampler = GuidedSampler(centers)
    keys = jax.random.split(jax.random.key(0), 3)
    for key, scale in zip(keys, (0.0, 1.0, 4.0)):
        sampler.guidance_scale = scale
        x = sampler.sample(key, 1, 256)
        distance = jnp.linalg.norm(x - centers[1], axis=-1)
        hit = (distance < 0.6).mean()
        print(f"scale {scale}: hit rate {hit:.3f} mean distance {distance.mean():.3f}")


if __name__ == "__main__":
    main()
