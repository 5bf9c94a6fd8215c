"""Daily report: revenue, orders and return rate by region, aggregated on device."""
import dataclasses
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

REGIONS = ("north", "south", "east", "west", "online")


@partial(jax.tree_util.register_dataclass, data_fields=["region", "amount", "returned"], meta_fields=[])
@dataclasses.dataclass(frozen=True)
class OrderLines:
    region: jax.Array
    amount: jax.Array
    returned: jax.Array


def extract(n_lines, seed):
    rng = np.random.default_rng(seed)
    region = rng.choice(len(REGIONS), p=[0.1, 0.2, 0.15, 0.05, 0.5], size=n_lines)
    amount = np.round(rng.lognormal(3.0, 0.8, n_lines), 2)
    returned = rng.uniform(size=n_lines) < np.where(region == 4, 0.25, 0.08)
    return OrderLines(jnp.asarray(region), jnp.asarray(amount, jnp.float32), jnp.asarray(returned))


@partial(jax.jit, static_argnames="n_regions")
def aggregate(lines: OrderLines, n_regions: int):
    zeros = jnp.zeros(n_regions)
    kept = jnp.where(lines.returned, 0.0, lines.amount)
    revenue = zeros.at[lines.region].add(kept)
    orders = zeros.at[lines.region].add(1.0)
    returns = zeros.at[lines.region].add(lines.returned.astype(jnp.float32))
    return {"revenue": revenue, "orders": orders, "return_rate": returns / jnp.maximum(orders, 1.0)}


def format_report(report):
    lines = [f"{'region':<8}{'revenue':>12}{'orders':>8}{'returns':>9}"]
    for i, name in enumerate(REGIONS):
        lines.append(f"{name:<8}{report['revenue'][i]:>12.2f}{report['orders'][i]:>8.0f}{report['return_rate'][i]:>9.1%}")
    return "\n".join(lines)


def main():
    lines = extract(5000, seed=11)
    report = jax.device_get(aggregate(lines, len(REGIONS)))
    print(format_report(report))
    print("total", round(float(report["revenue"].sum()), 2))


if __name__ == "__main__":
    main()
