"""Aperture photometry of a few stars on a synthetic image."""
import jax
import jax.numpy as jnp
import numpy as np

from photometry import Aperture, measure_all


def synthetic_image(shape, stars, rng):
    y, x = np.mgrid[: shape[0], : shape[1]]
    image = rng.normal(100.0, 2.0, size=shape)
    for cx, cy, amplitude in stars:
        image += amplitude * np.exp(-0.5 * ((x - cx) ** 2 + (y - cy) ** 2) / 1.5**2)
    bad = rng.random(shape) < 0.002
    image[bad] = 5000.0
    return image.astype(np.float32), bad


def main():
    rng = np.random.default_rng(5)
    stars = [(20.0, 22.0, 900.0), (44.5, 30.0, 400.0), (30.0, 50.0, 1500.0)]
    image, bad = synthetic_image((64, 64), stars, rng)
    print("typical sky:", f"{np.median(image[~bad]):.0f}")

    centres = jnp.array([s[:2] for s in stars])
    aperture = Aperture(radius=5.0, inner=8.0, outer=12.0)
    table = measure_all(jnp.asarray(image), centres, aperture)
    for star, flux, sky in zip(stars, table["flux"], table["background"]):
        print(f"at {star[:2]}: flux {float(flux):8.0f}  background {float(sky):.0f}")


if __name__ == "__main__":
    main()
