"""Accounts in double precision."""

import jax
import jax.numpy as jnp


def opening(amounts):
    return jnp.array(amounts, dtype=jnp.float64)


def book(accounts, fees):
    """One booking on every account; what is below a cent is dropped."""
    return accounts + jnp.floor(fees * 100.0) / 100.0


@jax.jit
def book_all(accounts, fees, times):
    def body(_, accounts):
        return book(accounts, fees).astype(accounts.dtype)

    return jax.lax.fori_loop(0, times, body, accounts)
