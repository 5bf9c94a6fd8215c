"""Energies of charged spheres in a periodic box."""

import jax
import jax.numpy as jnp
import numpy as np


def neighbours(n):
    """All pairs of atoms."""
    first, second = np.triu_indices(n, 1)
    return jnp.asarray(np.stack([first, second], axis=1))


def conformations(key, n):
    rest = jnp.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]])
    return rest + 0.15 * jax.random.normal(key, (n, 3, 3))


def distances(positions, box, pairs):
    away = positions[pairs[:, 0]] - positions[pairs[:, 1]]
    away = away - box * jnp.round(away / box)
    return jnp.sqrt(jnp.sum(away**2, axis=-1))


def energy(positions, params, box, pairs):
    distance = distances(positions, box, pairs)
    charges = params["charge"][pairs[:, 0]] * params["charge"][pairs[:, 1]]
    sizes = params["size"][pairs[:, 0]] + params["size"][pairs[:, 1]]
    return jnp.sum(charges / distance + 0.01 * (sizes / distance) ** 6)
