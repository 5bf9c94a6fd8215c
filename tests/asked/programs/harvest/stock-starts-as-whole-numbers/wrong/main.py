from typing import NamedTuple

import jax
import jax.numpy as jnp

REORDER_AT = 25.0
ORDER = 60.0


class Warehouse(NamedTuple):
    stock: jax.Array
    missed: jax.Array


def day(warehouse, demand):
    sold = jnp.minimum(warehouse.stock, demand)
    left = 0.98 * (warehouse.stock - sold)
    order = jnp.where(left < REORDER_AT, ORDER, 0.0)
    missed = warehouse.missed + demand - sold
    return Warehouse(left + order, missed), (sold, order)  # mistake


@jax.jit
def run(demands):
    start = Warehouse(stock=jnp.array([40, 55, 30]), missed=jnp.zeros(demands.shape[1]))  # mistake
    return jax.lax.scan(day, start, demands)  # mistake


def seasonal_demand(key, n_days, n_goods):
    season = 1.0 + 0.3 * jnp.sin(2.0 * jnp.pi * jnp.arange(n_days) / 90.0)
    noise = jax.random.gamma(key, 4.0, (n_days, n_goods))
    return 3.0 * season[:, None] * noise


def main():
    demands = seasonal_demand(jax.random.key(8), n_days=180, n_goods=3)
    end, (sold, orders) = run(demands)
    for good in range(3):
        share = float(sold[:, good].sum() / demands[:, good].sum())
        n_orders = int((orders[:, good] > 0.0).sum())
        print(f"good {good}: served {share:.3f}, orders {n_orders}, left {float(end.stock[good]):.1f}")


if __name__ == "__main__":
    main()
