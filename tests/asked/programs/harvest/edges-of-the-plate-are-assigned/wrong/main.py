import jax
import jax.numpy as jnp

ALPHA = 0.2


def hold_edges(plate):
    """Two edges are kept hot and cold."""
    plate[0, :] = 100.0  # mistake
    plate[-1, :] = 0.0  # mistake
    return plate


def laplacian(plate):
    up = jnp.roll(plate, 1, axis=0)
    down = jnp.roll(plate, -1, axis=0)
    left = jnp.concatenate([plate[:, :1], plate[:, :-1]], axis=1)
    right = jnp.concatenate([plate[:, 1:], plate[:, -1:]], axis=1)
    return up + down + left + right - 4.0 * plate


@jax.jit
def diffuse(plate):
    return hold_edges(plate + ALPHA * laplacian(plate))


def main():
    rows, columns = 24, 16
    plate = jnp.full((rows, columns), 20.0)
    plate = hold_edges(plate)
    for step in range(400):
        plate = diffuse(plate)
        if step % 100 == 99:
            middle = plate[rows // 2, columns // 2]
            print("step", step + 1, "middle", round(float(middle), 2))
    gradient = jnp.diff(plate.mean(axis=1))
    print("steepest fall", round(float(gradient.min()), 2))


if __name__ == "__main__":
    main()
