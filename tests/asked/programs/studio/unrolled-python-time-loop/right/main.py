import time

import jax
import jax.numpy as jnp
import numpy as np

from reservoir import init_reservoir, run


def mackey_glass(length, tau=17, seed=0):
    x = list(1.2 + 0.1 * np.random.default_rng(seed).normal(size=tau + 1))
    for _ in range(length - 1):
        delayed = x[-tau - 1]
        x.append(x[-1] + 0.2 * delayed / (1 + delayed**10) - 0.1 * x[-1])
    return np.array(x[-length:], np.float32)


@jax.jit
def ridge(states, targets, lam=1e-4):
    gram = states.T @ states + lam * jnp.eye(states.shape[1])
    return jnp.linalg.solve(gram, states.T @ targets)


def main():
    series = mackey_glass(33)
    inputs, targets = series[:-1, None], series[1:]
    params = init_reservoir(jax.random.key(0), 1, 24)
    start = time.perf_counter()
    states = run(params, inputs).block_until_ready()
    print(f"first call {time.perf_counter() - start:.2f}s")
    start = time.perf_counter()
    run(params, inputs).block_until_ready()
    print(f"second call {time.perf_counter() - start:.4f}s")
    weights = ridge(states[6:], targets[6:])
    rmse = jnp.sqrt(((states[6:] @ weights - targets[6:]) ** 2).mean())
    print("rmse", round(float(rmse), 4))


if __name__ == "__main__":
    main()
