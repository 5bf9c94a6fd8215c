"""Draw the Mandelbrot set with characters."""
import jax
import jax.numpy as jnp


def escape_time(c, limit):
    """How many steps it takes the point to leave the disc of radius two."""
    z = jnp.zeros_like(c)
    time = jnp.array(limit)
    for step in range(limit):
        z = z * z + c
        time = jnp.where((jnp.abs(z) > 2.0) & (time == limit), step, time)
    return time


def plane(width, height):
    real = jnp.linspace(-2.0, 0.6, width)
    imaginary = jnp.linspace(-1.2, 1.2, height)
    return real + 1j * imaginary[:, None]


def draw(times, limit):
    for row in times.tolist():
        print("".join("#" if time == limit else "." for time in row))


if __name__ == "__main__":
    limit = 12
    points = plane(24, 7)
    rows = jax.vmap(jax.vmap(escape_time, in_axes=(0, None)), in_axes=(0, None))
    draw(rows(points, limit), limit)
