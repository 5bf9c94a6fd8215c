"""Invert a smooth map with clipped gradients."""
import jax
import jax.numpy as jnp

from clipping import clip_gradient


def mismatch(x, target):
    x = clip_gradient(0.5, x)
    return jnp.sum((jnp.sinh(x) - target) ** 2)


@jax.jit
def solve(target):
    def body(_, x):
        return x - 0.05 * jax.grad(mismatch)(x, target)

    return jax.lax.fori_loop(0, 400, body, jnp.zeros_like(target))


if __name__ == "__main__":
    print(bool(jnp.allclose(jnp.sinh(solve(jnp.array([1.0, 5.0]))), jnp.array([1.0, 5.0]), atol=0.1)))
