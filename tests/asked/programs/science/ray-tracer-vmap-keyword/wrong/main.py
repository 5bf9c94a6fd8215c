"""Trace a bundle of parallel rays through a plano-convex lens."""
from functools import partial

import jax
import jax.numpy as jnp

LENS_INDEX = 1.5168
RADIUS = 50.0
THICKNESS = 6.0


def normalise(v):
    return v / jnp.linalg.norm(v)


def hit_sphere(origin, direction, centre, radius):
    """Nearest intersection of a ray with the front of a sphere."""
    oc = origin - centre
    b = jnp.dot(oc, direction)
    c = jnp.dot(oc, oc) - radius**2
    distance = -b - jnp.sqrt(b**2 - c)
    return origin + distance * direction


def hit_plane(origin, direction, z):
    return origin + (z - origin[2]) / direction[2] * direction


def refract(direction, normal, ratio=1.0):
    cosine = -jnp.dot(normal, direction)
    k = 1.0 - ratio**2 * (1.0 - cosine**2)
    return normalise(ratio * direction + (ratio * cosine - jnp.sqrt(k)) * normal)


def sphere_normals(points, centre):
    return jax.vmap(lambda p: normalise(p - centre))(points)


def trace(origins, directions):
    centre = jnp.array([0.0, 0.0, RADIUS])
    front = jax.vmap(hit_sphere, in_axes=(0, 0, None, None))(origins, directions, centre, RADIUS)
    normals = sphere_normals(front, centre)
    inside = jax.vmap(refract)(directions, normals, ratio=1.0 / LENS_INDEX)  # mistake
    back = jax.vmap(partial(hit_plane, z=THICKNESS))(front, inside)
    flat = jnp.tile(jnp.array([0.0, 0.0, -1.0]), (back.shape[0], 1))
    outside = jax.vmap(partial(refract, ratio=LENS_INDEX))(inside, flat)
    return back, outside


def focal_crossings(points, directions):
    along = -points[:, 1] / directions[:, 1]
    return points[:, 2] + along * directions[:, 2]


def main():
    heights = jnp.array([0.5, 2.0, 5.0, 8.0])
    origins = jnp.stack([jnp.zeros(4), heights, jnp.full(4, -10.0)], axis=-1)
    directions = jnp.tile(jnp.array([0.0, 0.0, 1.0]), (4, 1))
    points, out = jax.jit(trace)(origins, directions)
    for height, z in zip(heights, focal_crossings(points, out)):
        print(f"ray at {float(height):.1f} mm crosses the axis at z = {float(z):.1f} mm")


if __name__ == "__main__":
    main()
