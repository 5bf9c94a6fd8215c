from functools import partial

import jax
import jax.numpy as jnp

from fst import ratio_of_sums


def block_sums(values, n_blocks):
    return values.reshape(n_blocks, -1).sum(axis=1)


@partial(jax.jit, static_argnames="n_blocks")
def block_jackknife(numerator, denominator, n_blocks):
    num = block_sums(numerator, n_blocks)
    den = block_sums(denominator, n_blocks)

    def without(block):
        keep = jnp.arange(n_blocks) != block
        return ratio_of_sums(jnp.where(keep, num, 0.0), jnp.where(keep, den, 0.0))

    estimate = ratio_of_sums(num, den)
    leave_one_out = jax.vmap(without)(jnp.arange(n_blocks))
    pseudo = n_blocks * estimate - (n_blocks - 1) * leave_one_out
    return pseudo.mean(), pseudo.std(ddof=1) / jnp.sqrt(n_blocks)
