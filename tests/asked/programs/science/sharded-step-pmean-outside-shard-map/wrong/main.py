"""Data-parallel regression of a calibration curve on a device mesh."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec as P

from training import init_params, predict, train_step

BATCH = 64


def make_dataset(rng, n):
    voltage = rng.uniform(-1.0, 1.0, size=(n, 1)).astype(np.float32)
    reading = 0.7 * voltage + 0.3 * np.sin(4.0 * voltage)
    return voltage, reading.astype(np.float32)


def batches(voltage, reading, epochs):
    for _ in range(epochs):
        for start in range(0, len(voltage), BATCH):
            yield voltage[start : start + BATCH], reading[start : start + BATCH]


def main():
    mesh = jax.make_mesh((jax.device_count(),), ("data",))
    by_sample = NamedSharding(mesh, P("data"))
    everywhere = NamedSharding(mesh, P())

    voltage, reading = make_dataset(np.random.default_rng(3), 512)
    params = jax.device_put(init_params(jax.random.key(0), hidden=16), everywhere)
    first = None
    for batch in batches(voltage, reading, epochs=40):
        batch = jax.device_put(batch, by_sample)
        params, loss = train_step(params, batch, 0.1)
        first = loss if first is None else first

    print("loss went down:", bool(loss < 0.25 * first))
    print("parameters replicated:", params["w1"].sharding.is_fully_replicated)
    print("shape of prediction:", predict(params, jnp.zeros((5, 1))).shape)


if __name__ == "__main__":
    main()
