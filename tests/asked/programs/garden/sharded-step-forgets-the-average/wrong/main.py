import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"

import jax
import numpy as np
import optax

from parallel import data_mesh, make_train_step, put_batch
from probe import init_probe


def feature_stream(n_steps, batch_size=64, seed=0):
    rng = np.random.default_rng(seed)
    centers = rng.normal(size=(5, 24))
    for _ in range(n_steps):
        labels = rng.integers(0, 5, batch_size)
        x = centers[labels] + 0.7 * rng.normal(size=(batch_size, 24))
        yield {"x": x.astype(np.float32), "label": labels.astype(np.int32)}


def main():
    mesh = data_mesh()
    print("devices:", mesh.size)
    params = init_probe(jax.random.key(0), 24, 5)
    tx = optax.adam(1e-2)
    opt_state = tx.init(params)
    train_step = make_train_step(mesh, tx)
    for i, batch in enumerate(feature_stream(40)):
        params, opt_state, loss = train_step(params, opt_state, put_batch(mesh, batch))
        if i % 10 == 0:
            print(f"step {i:3d} loss {float(loss):.4f}")


if __name__ == "__main__":
    main()
