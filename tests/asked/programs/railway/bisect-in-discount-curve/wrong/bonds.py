from typing import NamedTuple

import jax
import jax.numpy as jnp


class Bond(NamedTuple):
    coupon: float
    years: int


def annuity_and_last(curve, bond):
    times = jnp.arange(1, bond.years + 1, dtype=jnp.float32)
    factors = jax.vmap(curve.discount)(times)
    return factors.sum(), factors[-1]


def dirty_price(curve, bond):
    annuity, last = annuity_and_last(curve, bond)
    return 100.0 * (bond.coupon * annuity + last)


def par_coupon(curve, bond):
    annuity, last = annuity_and_last(curve, bond)
    return (1.0 - last) / annuity
