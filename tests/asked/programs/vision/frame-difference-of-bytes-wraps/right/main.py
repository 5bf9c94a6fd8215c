"""Find moving pixels in a sequence of frames."""
import jax
import jax.numpy as jnp
import numpy as np

THRESHOLD = 40


def camera(frames=4, size=12):
    rng = np.random.default_rng(0)
    base = rng.integers(90, 110, (size, size))
    for index in range(frames):
        frame = base + rng.integers(-4, 5, (size, size))
        frame[2:4, index : index + 2] = 230
        yield jnp.asarray(frame, dtype=jnp.uint8)


@jax.jit
def motion_mask(previous, current):
    return jnp.abs(current.astype(jnp.int32) - previous.astype(jnp.int32)) > THRESHOLD


def main():
    frames = camera()
    previous = next(frames)
    for current in frames:
        print("moving pixels", int(motion_mask(previous, current).sum()))
        previous = current


if __name__ == "__main__":
    main()
