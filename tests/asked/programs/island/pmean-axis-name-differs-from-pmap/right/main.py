import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"

import jax
import jax.numpy as jnp
import numpy as np

from parallel import make_parallel_step, replicate, shard
from regression import init_mlp, predict


def make_data(n, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, size=(n, 3)).astype(np.float32)
    y = np.sin(x[:, 0]) * x[:, 1] + 0.5 * x[:, 2]
    return x, y.astype(np.float32)


def main():
    num_devices = jax.local_device_count()
    print("devices", num_devices)
    x, y = make_data(1024)
    params = replicate(init_mlp(jax.random.key(0), [3, 32, 1]), num_devices)
    step = make_parallel_step(learning_rate=0.1)
    for epoch in range(5):
        for i in range(0, len(x), 128):
            batch = shard((x[i : i + 128], y[i : i + 128]), num_devices)
            params, loss = step(params, *batch)
        print(f"epoch {epoch} loss {float(loss[0]):.4f}")
    single = jax.tree.map(lambda p: p[0], params)
    print("prediction", np.round(predict(single, jnp.ones((1, 3))), 2))


if __name__ == "__main__":
    main()
