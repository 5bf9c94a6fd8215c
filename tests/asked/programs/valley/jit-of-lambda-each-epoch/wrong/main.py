import time

import jax
import jax.numpy as jnp
import numpy as np

from evaluation import Evaluator
from net import init_net, sgd_step


def make_split(seed, n):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 10)).astype(np.float32)
    y = (x[:, 0] * x[:, 1] > 0).astype(np.int32)
    return jnp.asarray(x), jnp.asarray(y)


def main():
    train, valid = make_split(0, 512), make_split(1, 256)
    params = init_net(jax.random.PRNGKey(0), (10, 32, 32, 2))
    evaluator = Evaluator(valid, chunk=64)
    times = []
    for epoch in range(15):
        params = sgd_step(params, *train, 0.3)
        begin = time.perf_counter()
        acc = evaluator(params)
        times.append(time.perf_counter() - begin)
    print("accuracy", round(acc, 3))
    print(f"evaluation takes {1e3 * np.median(times[1:]):.1f} ms, first {1e3 * times[0]:.1f} ms")


if __name__ == "__main__":
    main()
