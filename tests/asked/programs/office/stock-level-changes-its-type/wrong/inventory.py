from typing import NamedTuple

import jax
import jax.numpy as jnp


class Policy(NamedTuple):
    reorder_point: float
    order_up_to: float
    holding: float = 0.02
    shortage: float = 1.5
    order_cost: float = 8.0


def day(state, demand, policy: Policy):
    stock, lost = state
    sold = jnp.minimum(stock, demand)
    lost = lost + (demand - sold)
    stock = stock - sold
    order = jnp.where(stock < policy.reorder_point, policy.order_up_to - stock, 0.0)
    cost = policy.holding * stock + policy.shortage * (demand - sold) + policy.order_cost * (order > 0)
    return (stock + order, lost), cost


def simulate(initial_stock, demands, policy: Policy):
    start = (jnp.asarray(initial_stock), jnp.zeros(()))  # mistake
    (stock, lost), costs = jax.lax.scan(lambda s, d: day(s, d, policy), start, demands)  # mistake
    return costs.sum(), lost, stock
