import jax.numpy as jnp

from kinematics import hand
from solver import reach


def main():
    lengths = jnp.array([1.0, 0.8, 0.5])
    angles = jnp.array([0.3, 0.2, 0.1])
    print("starts at", [round(value, 3) for value in hand(angles, lengths).tolist()])
    for target in ([1.2, 0.9], [0.4, 1.6], [-0.8, 1.1]):
        angles = reach(angles, lengths, jnp.array(target))
        error = jnp.linalg.norm(hand(angles, lengths) - jnp.array(target))
        print("target", target, "error", f"{float(error):.4f}")


if __name__ == "__main__":
    main()
