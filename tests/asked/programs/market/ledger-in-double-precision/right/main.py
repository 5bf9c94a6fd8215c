"""Book many small fees on large accounts."""

import jax

jax.config.update("jax_enable_x64", True)

import jax.numpy as jnp

from ledger import book_all, opening


def main():
    accounts = opening([20_000_000.0, 35_000_000.0, 1_200.0])
    fees = jnp.array([0.25, 0.5, 0.25])
    closing = book_all(accounts, fees, 4000)
    for before, after in zip(accounts, closing):
        print(f"{float(before):.0f} grew by {float(after - before):.0f}")
    print("dearest account", int(jnp.argmax(closing)))


if __name__ == "__main__":
    main()
