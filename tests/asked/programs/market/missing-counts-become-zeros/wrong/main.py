"""Units sold by shop and week, with codes for weeks without a report."""

import jax
import jax.numpy as jnp

SHOPS, WEEKS = 6, 20
NO_REPORT = -1


def reports(key):
    k_rate, k_units, k_missing = jax.random.split(key, 3)
    rates = jax.random.uniform(k_rate, (SHOPS, 1), minval=5.0, maxval=30.0)
    units = jax.random.poisson(k_units, rates, (SHOPS, WEEKS))
    missing = jax.random.bernoulli(k_missing, 0.2, (SHOPS, WEEKS))
    return jnp.where(missing, NO_REPORT, units)


def mark_missing(units):
    return units.at[units == NO_REPORT].set(jnp.nan)  # mistake


def weekly_rates(units):
    marked = mark_missing(units)
    by_shop = jnp.nanmean(marked, axis=1)
    share = jnp.isnan(marked).mean()
    return by_shop, share


@jax.jit
def unusual(units, by_shop):
    """Weeks that are far from the rate of their shop."""
    deviation = (units - by_shop[:, None]) / jnp.sqrt(jnp.maximum(by_shop[:, None], 1.0))
    return (jnp.abs(deviation) > 4.0) & (units != NO_REPORT)


def main():
    units = reports(jax.random.key(18))
    by_shop, share = weekly_rates(units)
    print("shops", by_shop.shape[0])
    print("rates are plausible:", bool(((by_shop > 0) & (by_shop < 60)).all()))
    print("some are missing:", bool(share > 0))
    print("unusual weeks:", int(unusual(units, by_shop).sum()))


if __name__ == "__main__":
    main()
