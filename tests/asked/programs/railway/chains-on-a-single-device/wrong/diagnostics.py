import jax.numpy as jnp


def potential_scale_reduction(draws):
    n = draws.shape[1]
    within = draws.var(axis=1, ddof=1).mean(axis=0)
    between = draws.mean(axis=1).var(axis=0, ddof=1)
    return jnp.sqrt((n - 1) / n + between / within)
