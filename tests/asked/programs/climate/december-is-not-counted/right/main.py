"""Ten years of rain at a station, summed by month."""

import jax
import jax.numpy as jnp
from calendar_table import per_day, total_by_month, wettest


def station(key, years=10):
    months = jnp.tile(jnp.arange(1, 13), years)
    season = 60.0 + 30.0 * jnp.cos((months - 12) * 2 * jnp.pi / 12)
    rain = season + 5.0 * jax.random.normal(key, months.shape)
    return months, jnp.maximum(rain, 0.0)


def main():
    months, rain = station(jax.random.key(20))
    totals = total_by_month(months, rain)
    print("nothing is lost:", bool(jnp.abs(totals.sum() - rain.sum()) < 0.1))
    print("wettest month:", wettest(totals))
    daily = per_day(months, rain)
    print("daily rain in February:", bool(daily[1] > rain[1] / 30))


if __name__ == "__main__":
    main()
