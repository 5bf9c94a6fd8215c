"""Tune the gains of a temperature controller."""

import jax
import jax.numpy as jnp

from oven import Oven


def tune(oven, gains, steps=12):
    """Coordinate search."""
    cost = jax.jit(oven.cost)
    best = jnp.inf
    for number in range(steps):
        change = 0.2 * (0.8**number)
        for sign in (1.0, -1.0):
            trial = gains.at[number % 2].add(sign * change)
            found = cost(trial)
            if found < best:
                gains, best = trial, found
    return gains, best


def main():
    oven = Oven(target=180.0, loss=0.02)
    start = jnp.array([0.5, 0.01])
    gains, best = tune(oven, start)
    print("better than at first:", bool(best < oven.cost(start)))
    print("gains are positive:", bool(jnp.all(gains > 0)))
    print("traced", "once or twice" if oven.traces <= 2 else "again and again")


if __name__ == "__main__":
    main()
