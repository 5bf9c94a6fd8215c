"""Calibrate scales from weighings that lie on four devices."""

import jax

jax.config.update("jax_num_cpu_devices", 4)

import jax.numpy as jnp
from jax.sharding import AxisType, PartitionSpec as P

mesh = jax.make_mesh((4,), ("data",), axis_types=(AxisType.Auto,))


def reading(scale, weight):
    """What a scale shows for a weight."""
    return scale["gain"] * weight + scale["offset"] + scale["curve"] * weight**2


def loss_fn(scale, weight, shown):
    return jnp.mean((reading(scale, weight) - shown) ** 2)


def step(scale, weight, shown):
    slope = jax.grad(loss_fn)(scale, weight, shown)
    slope = jax.lax.pmean(slope, axis_name="batch")  # mistake
    return jax.tree.map(lambda p, g: p - 0.1 * g, scale, slope)


train_step = jax.jit(
    jax.shard_map(step, mesh=mesh, in_specs=(P(), P("data"), P("data")), out_specs=P(), check_vma=False)
)


def weighings(key, n=64):
    k_weight, k_noise = jax.random.split(key)
    weight = jax.random.uniform(k_weight, (n,), minval=-1.0, maxval=1.0)
    truth = {"gain": 1.1, "offset": 0.2, "curve": -0.1}
    return weight, reading(truth, weight) + 0.01 * jax.random.normal(k_noise, (n,))


def main():
    scale = {"gain": jnp.array(1.0), "offset": jnp.array(0.0), "curve": jnp.array(0.0)}
    for number in range(200):
        scale = train_step(scale, *weighings(jax.random.key(number)))
    print({name: round(float(value), 1) for name, value in scale.items()})


if __name__ == "__main__":
    main()
