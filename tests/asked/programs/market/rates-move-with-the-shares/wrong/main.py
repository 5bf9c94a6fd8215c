"""Measure how much a mixed portfolio may lose in a month."""

import jax
import jax.numpy as jnp

from scenarios import draw


def value(scenario, bonds=0.5):
    """Bonds lose when rates rise; shares follow their own shocks."""
    bond_return = -5.0 * scenario["rate"]
    share_return = scenario["share"]
    return bonds * bond_return + (1 - bonds) * share_return


def main():
    keys = jax.random.split(jax.random.key(21), 4000)
    scenarios = jax.vmap(draw)(keys)
    together = jnp.corrcoef(scenarios["rate"], scenarios["share"])[0, 1]
    change = value(scenarios)
    print(f"correlation {abs(float(together)):.1f}")
    print(f"deviation of the portfolio {float(jnp.std(change)):.3f}")
    print(f"one month in twenty is worse than {float(jnp.quantile(change, 0.05)):.3f}")


if __name__ == "__main__":
    main()
