"""Next-item scores from co-occurrence of products in shopping baskets."""
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def make_orders(n_orders=200, n_products=30, seed=7):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 9, n_orders)
    order_id = np.repeat(np.arange(n_orders), sizes)
    product = rng.integers(0, n_products, sizes.sum())
    slot = np.concatenate([np.arange(s) for s in sizes])
    return order_id, product, slot, sizes


class BasketModel:
    def __init__(self, n_products: int, smoothing: float = 1.0):
        self.n_products = n_products
        self.smoothing = smoothing

    @partial(jax.jit, static_argnums=(0, 5))
    def pack(self, order_id, product, slot, sizes, n_orders):
        width = sizes.max()
        table = jnp.full((n_orders, width), -1)  # mistake
        return table.at[order_id, slot].set(product)

    @partial(jax.jit, static_argnums=0)
    def cooccurrence(self, table):
        onehot = jax.nn.one_hot(table, self.n_products)
        present = jnp.minimum(onehot.sum(axis=1), 1.0)
        counts = present.T @ present
        counts = counts * (1.0 - jnp.eye(self.n_products))
        return (counts + self.smoothing) / (counts.sum(1, keepdims=True) + self.smoothing * self.n_products)


def top_recommendations(scores, k):
    values, items = jax.lax.top_k(scores, k)
    return np.asarray(items), np.asarray(values)


def run():
    order_id, product, slot, sizes = make_orders()
    model = BasketModel(n_products=30)
    table = model.pack(order_id, product, slot, sizes, len(sizes))
    print("packed", table.shape)
    items, values = top_recommendations(model.cooccurrence(table), 3)
    for p in range(4):
        print(p, items[p], np.round(values[p], 3))


run()
