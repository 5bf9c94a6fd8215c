"""Wear of bearings under load, with random shocks."""

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P


def life(key, load, steps=200):
    """The time until the wear of a bearing is complete."""

    def day(wear, day_key):
        shock = jax.random.exponential(day_key)
        wear = wear + 0.01 * load * shock
        return wear, wear < 1.0

    days_key, rest_key = jax.random.split(key)
    _, alive = jax.lax.scan(day, jnp.zeros_like(load), jax.random.split(days_key, steps))
    return jnp.sum(alive) + jax.random.uniform(rest_key)


def shard(key, loads):
    key = jax.random.fold_in(key, jax.lax.axis_index("bearings"))
    keys = jax.random.split(key, loads.shape[0])
    return jax.vmap(life)(keys, loads)


def simulate(key, loads):
    mesh = jax.make_mesh((4,), ("bearings",), axis_types=(AxisType.Auto,))
    run = jax.shard_map(shard, mesh=mesh, in_specs=(P(), P("bearings")), out_specs=P("bearings"), check_vma=False)
    return jax.jit(run)(key, loads)
