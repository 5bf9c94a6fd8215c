"""Relax a field with clamped sites, and differentiate its energy."""
import jax
import jax.numpy as jnp

from clamp import clamp


def relax(field, free, steps):
    def step(carry, _):
        field, free = carry
        field = 0.5 * (jnp.roll(field, 1) + jnp.roll(field, -1))
        return (clamp(field, free), free), None

    (field, _), _ = jax.lax.scan(step, (field, free), length=steps)
    return field


@jax.jit
def energy(field, free):
    return jnp.sum(relax(field, free, 4) ** 2)


if __name__ == "__main__":
    field = jax.random.normal(jax.random.key(0), (8,))
    free = jnp.array([1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0])
    gradient = jax.grad(energy)(field, free)
    print("gradient", gradient.shape, bool(jnp.all(jnp.isfinite(gradient))))
