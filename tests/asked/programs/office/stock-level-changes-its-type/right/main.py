import itertools

import jax
import numpy as np

from inventory import Policy, simulate

def demand_scenarios(n, days, seed=0):
    rng = np.random.default_rng(seed)
    weekly = 1.0 + 0.4 * np.sin(2 * np.pi * np.arange(days) / 7)
    return rng.gamma(4.0, 5.0 * weekly, size=(n, days)).astype(np.float32)


def counted_stock(bins, seed=4):
    """Units found in the bins at the yearly count."""
    return np.random.default_rng(seed).integers(5, 20, bins).sum()


@jax.jit
def evaluate(policy, demands, stock):
    costs, lost, _ = jax.vmap(simulate, in_axes=(None, 0, None))(stock, demands, policy)
    return costs.mean(), lost.mean()


def main():
    demands = demand_scenarios(64, 90)
    stock = counted_stock(bins=10)
    rows = []
    for reorder, upto in itertools.product((30.0, 60.0), (120.0, 180.0)):
        cost, lost = evaluate(Policy(reorder, upto), demands, stock)
        rows.append((reorder, upto, cost, lost))
    for reorder, upto, cost, lost in rows:
        print(f"s={reorder:.0f} S={upto:.0f} cost {cost:.1f} lost sales {lost:.1f}")


if __name__ == "__main__":
    main()
