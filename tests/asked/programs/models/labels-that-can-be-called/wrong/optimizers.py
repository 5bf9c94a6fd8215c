"""Optimizers by part of the network."""
import equinox as eqx
import jax
import optax


def by_part(model):
    params = eqx.filter(model, eqx.is_array)
    labels = jax.tree.map(lambda _: "slow", params)
    fast = jax.tree.map(lambda _: "fast", params.head)
    labels = eqx.tree_at(lambda m: m.head, labels, fast)
    rates = {"slow": optax.sgd(1e-3), "fast": optax.sgd(1e-1)}
    return optax.multi_transform(rates, labels)  # mistake
