"""Predict the sales of the next week from the weeks before."""

import jax
import jax.numpy as jnp


def sales(key, weeks):
    """Daily sales with a pattern of the week and a slow trend."""
    day = jnp.arange(7 * weeks)
    pattern = jnp.array([1.0, 0.9, 0.9, 1.0, 1.3, 1.8, 0.4])
    noise = 0.05 * jax.random.normal(key, day.shape)
    return (1.0 + 0.002 * day) * pattern[day % 7] + noise


@jax.jit
def forecast(daily, weeks, decay):
    table = daily.reshape(-1, 7)
    age = weeks - 1 - jnp.arange(table.shape[0])
    weight = decay**age
    level = jnp.sum(weight[:, None] * table, axis=0) / jnp.sum(weight)
    trend = (jnp.mean(table[-4:]) - jnp.mean(table[:4])) / (weeks - 4)
    return level + trend


def error(daily, weeks, decay):
    """How far the forecast of the last week was off."""
    predicted = forecast(daily[:-7], weeks - 1, decay)
    return jnp.mean(jnp.abs(predicted - daily[-7:]))


def main():
    weeks = 30
    daily = sales(jax.random.key(6), weeks)
    errors = {decay: float(error(daily, weeks, decay)) for decay in (0.5, 0.9, 0.99)}
    best = min(errors, key=errors.get)
    print("tried", len(errors), "decays")
    print("best error below a tenth:", errors[best] < 0.1)
    print("saturdays are best:", int(jnp.argmax(forecast(daily, weeks, best))) == 5)


if __name__ == "__main__":
    main()
