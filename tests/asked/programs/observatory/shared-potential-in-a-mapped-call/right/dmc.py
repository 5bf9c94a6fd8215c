import jax
import jax.numpy as jnp


def potential(position, nuclei, charges):
    electrons = position.reshape(-1, 3)
    r_en = jnp.linalg.norm(electrons[:, None] - nuclei[None], axis=-1)
    attraction = -jnp.sum(charges / r_en)
    i, j = jnp.triu_indices(electrons.shape[0], k=1)
    repulsion = jnp.sum(1.0 / jnp.linalg.norm(electrons[i] - electrons[j], axis=-1))
    return attraction + repulsion


def log_trial(position, nuclei, charges):
    electrons = position.reshape(-1, 3)
    r_en = jnp.linalg.norm(electrons[:, None] - nuclei[None], axis=-1)
    return -jnp.sum(0.85 * charges * r_en)


def local_energy(position, nuclei, charges):
    grad = jax.grad(log_trial)
    g = grad(position, nuclei, charges)
    laplacian = jnp.trace(jax.hessian(log_trial)(position, nuclei, charges))
    return -0.5 * (laplacian + g @ g) + potential(position, nuclei, charges)


batched_energy = jax.jit(jax.vmap(local_energy, in_axes=(0, None, None)))
