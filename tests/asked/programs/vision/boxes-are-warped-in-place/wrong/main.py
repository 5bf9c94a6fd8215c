"""Warp the boxes of objects along with their picture."""

import jax
import jax.numpy as jnp

ORDER = jnp.array([0, 1, 2, 3, 0, 3, 2, 1])


def rotation(degrees, centre):
    angle = jnp.deg2rad(degrees)
    c, s = jnp.cos(angle), jnp.sin(angle)
    x, y = centre
    return jnp.array([
        [c, -s, x - c * x + s * y],
        [s, c, y - s * x - c * y],
        [0.0, 0.0, 1.0],
    ])


def corners(boxes):
    """The four corners of each box as homogeneous points."""
    count = boxes.shape[0]
    points = jnp.ones((count * 4, 3))
    points[:, :2] = boxes[:, ORDER].reshape(count * 4, 2)  # mistake
    return points


def bounding(points):
    x, y = points[..., 0], points[..., 1]
    return jnp.stack([x.min(1), y.min(1), x.max(1), y.max(1)], axis=1)


def warp(boxes, matrix, width, height):
    points = corners(boxes) @ matrix.T
    points = (points[:, :2] / points[:, 2:]).reshape(boxes.shape[0], 4, 2)
    warped = bounding(points)
    warped[:, [0, 2]] = warped[:, [0, 2]].clip(0, width)  # mistake
    warped[:, [1, 3]] = warped[:, [1, 3]].clip(0, height)  # mistake
    return warped


def area(boxes):
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def main():
    boxes = jnp.array([[10.0, 20.0, 50.0, 60.0], [0.0, 0.0, 30.0, 10.0], [70.0, 40.0, 95.0, 90.0]])
    matrix = rotation(15.0, (50.0, 50.0))
    warped = jax.jit(warp)(boxes, matrix, 100.0, 100.0)
    print("boxes", warped.shape)
    print("inside", bool((warped >= 0).all() and (warped <= 100).all()))
    print("not empty", bool((area(warped) > 0).all()))


if __name__ == "__main__":
    main()
