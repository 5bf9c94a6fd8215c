"""Unfold a crumpled cloth."""
import jax.numpy as jnp

from cloth import relax, springs


def main():
    pairs = springs(3, 3)
    x, y = jnp.meshgrid(jnp.arange(3) * 0.1, jnp.arange(3) * 0.1)
    positions = jnp.stack([x.ravel(), y.ravel(), jnp.zeros(9)], -1)
    positions = positions.at[1].set(positions[0])
    for _ in range(5):
        positions = relax(positions, pairs)
    print("finite:", bool(jnp.all(jnp.isfinite(positions))))


if __name__ == "__main__":
    main()
