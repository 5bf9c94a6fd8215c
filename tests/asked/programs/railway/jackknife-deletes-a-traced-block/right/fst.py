import jax.numpy as jnp


def hudson_terms(p1, p2, n1, n2):
    within = p1 * (1 - p1) / (n1 - 1) + p2 * (1 - p2) / (n2 - 1)
    numerator = (p1 - p2) ** 2 - within
    denominator = p1 * (1 - p2) + p2 * (1 - p1)
    return numerator, denominator


def ratio_of_sums(numerator, denominator):
    return jnp.sum(numerator) / jnp.sum(denominator)
