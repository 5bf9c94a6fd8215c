"""Check how different the branches of a stereo encoder are at the start."""
import jax
import jax.numpy as jnp

from encoder import Stereo


@jax.jit
def branch_gap(left, right):
    return jnp.max(jnp.abs(left - right))


def main():
    model = Stereo(6, jax.random.key(42))
    pairs = jax.random.normal(jax.random.key(7), (2, 10, 6))
    out = jax.vmap(model)(pairs[0], pairs[1])
    print(out.shape, "branches differ:", float(branch_gap(model.left.weight, model.right.weight)) > 0.0)


if __name__ == "__main__":
    main()
