from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class PriceRules:
    margin_floor: float = 0.12
    max_discount: float = 0.45
    elasticity: float = -5.0


def discounted_price(list_price, cost, discount, rules: PriceRules):
    discount = jnp.clip(discount, 0.0, rules.max_discount)
    price = list_price * (1.0 - discount)
    floor = cost * (1.0 + rules.margin_floor)
    if price < floor:  # mistake
        price = floor
    return price


def expected_profit(discount, product, rules: PriceRules):
    list_price, cost, base_demand = product
    price = discounted_price(list_price, cost, discount, rules)
    demand = base_demand * (price / list_price) ** rules.elasticity
    return demand * (price - cost)


def make_profit_curve(rules: PriceRules):
    def curve(discounts, product):
        return jax.vmap(lambda d: expected_profit(d, product, rules))(discounts)

    return jax.jit(curve)
