"""Advect a cloud on a stretched grid."""

import jax
import jax.numpy as jnp

from field import Field


@jax.jit
def advect(field, speed, dt):
    """First-order upwind transport to the right."""
    width = jnp.diff(field.edges)
    flux = speed * field.values
    inflow = jnp.concatenate([flux[:1] * 0.0, flux[:-1]])
    return field.with_values(field.values + dt * (inflow - flux) / width)


def cloud(edges):
    middle = 0.5 * (edges[1:] + edges[:-1])
    return Field(edges, jnp.exp(-80.0 * (middle - 0.3) ** 2))


def mass(field):
    return jnp.sum(field.values * jnp.diff(field.edges))


def main():
    for stretch in (1.0, 1.2):
        edges = jnp.linspace(0.0, 1.0, 65) ** stretch
        field = cloud(edges)
        before = mass(field)
        for _ in range(100):
            field = advect(field, 0.5, 0.004)  # mistake
        print(f"stretch {stretch}: kept {float(mass(field) / before):.2f} of the mass")


if __name__ == "__main__":
    main()
