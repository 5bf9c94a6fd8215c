import jax.numpy as jnp
import numpy as np

from pricing import PriceRules, make_profit_curve


def load_catalogue(n_products, seed):
    rng = np.random.default_rng(seed)
    list_price = rng.uniform(5.0, 80.0, n_products)
    cost = list_price * rng.uniform(0.5, 0.9, n_products)
    demand = rng.gamma(2.0, 40.0, n_products)
    return np.stack([list_price, cost, demand], axis=1).astype(np.float32)


def main():
    catalogue = load_catalogue(n_products=6, seed=3)
    grid = jnp.linspace(0.0, 0.5, 26)
    profit_curve = make_profit_curve(PriceRules())

    best = []
    for row in catalogue:
        profits = profit_curve(grid, tuple(row))
        best.append(grid[jnp.argmax(profits)])
    print("best discounts", np.round(np.asarray(jnp.stack(best)), 2))


if __name__ == "__main__":
    main()
