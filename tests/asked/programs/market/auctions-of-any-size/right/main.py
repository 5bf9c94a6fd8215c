"""Settle a day of auctions, and learn what a good is worth from the bids."""

import jax
import jax.numpy as jnp
import numpy as np

MOST = 24


@jax.jit
def settle(estimate, bids, count):
    """Second price, and an update of the estimate by all the bids."""
    there = jnp.arange(bids.shape[0]) < count
    ordered = jnp.sort(jnp.where(there, bids, -jnp.inf))
    price = ordered[-2]
    surprise = jnp.sum(bids * there) / count - estimate
    return estimate + 0.1 * surprise, price


def auctions(rng, n):
    for _ in range(n):
        count = int(rng.integers(3, MOST))
        yield rng.gamma(8.0, 2.0, count).astype(np.float32)


def padded(bids):
    return np.pad(bids, (0, MOST - bids.size)), bids.size


def main():
    rng = np.random.default_rng(13)
    estimate, revenue, sold = jnp.float32(10.0), 0.0, 0
    for bids in auctions(rng, 40):
        estimate, price = settle(estimate, *padded(bids))
        if price > 5.0:
            revenue += float(price)
            sold += 1
    print("sold", sold > 30)
    print(f"revenue {revenue:.0f}")
    print(f"worth {float(estimate):.1f}")
    print("compiled", settle._cache_size(), "times")


if __name__ == "__main__":
    main()
