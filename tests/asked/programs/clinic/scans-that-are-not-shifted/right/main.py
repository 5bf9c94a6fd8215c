"""Register two scans of one patient: find the shift and the turn between them."""

import jax
import jax.numpy as jnp

AXIS = jnp.linspace(-1.0, 1.0, 24)
X, Y = jnp.meshgrid(AXIS, AXIS, indexing="ij")


def tissue(x, y):
    """A bright and a dark spot."""
    bright = jnp.exp(-8.0 * ((x - 0.2) ** 2 + (y + 0.1) ** 2))
    dark = jnp.exp(-20.0 * ((x + 0.4) ** 2 + (y - 0.3) ** 2))
    return bright - 0.6 * dark


def scan(pose):
    """What the scanner sees when the patient lies at a pose."""
    cos, sin = jnp.cos(pose["turn"]), jnp.sin(pose["turn"])
    x = cos * X - sin * Y + pose["shift"][0]
    y = sin * X + cos * Y + pose["shift"][1]
    return tissue(x, y)


def penalty(pose):
    return 1e-3 * (jnp.sum(pose["shift"] ** 2) + pose["turn"] ** 2)


def mismatch(pose, fixed):
    return jnp.mean((scan(pose) - fixed) ** 2) + penalty(pose)


@jax.jit
def improve(pose, fixed):
    loss, slope = jax.value_and_grad(mismatch)(pose, fixed)
    return jax.tree.map(lambda p, g: p - 1.5 * g, pose, slope), loss


def main():
    fixed = scan({"shift": jnp.array([0.15, -0.1]), "turn": jnp.array(0.2)})
    pose = {"shift": jnp.zeros(2), "turn": jnp.array(0.0)}
    for _ in range(300):
        pose, loss = improve(pose, fixed)
    print("shift", [round(float(s), 2) for s in pose["shift"]])
    print("turn", round(float(pose["turn"]), 2), "loss", round(float(loss), 3))


if __name__ == "__main__":
    main()
