import jax
import jax.numpy as jnp
import numpy as np

import momentum
from mlp import init_mlp, predict


def drag_measurements(n: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    speed = rng.uniform(0, 3, n)
    angle = rng.uniform(-1, 1, n)
    drag = 0.4 * speed**2 * (1 + 0.5 * angle**2) + 0.02 * rng.normal(size=n)
    return np.stack([speed, angle], axis=1).astype(np.float32), drag.astype(np.float32)


def loss_fn(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2)


@jax.jit
def train_step(params, velocity, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    params, velocity = momentum.update(params, velocity, grads, lr=0.01)
    return params, velocity, loss


def main():
    x, y = drag_measurements(300)
    params = init_mlp(jax.random.key(0), (2, 24, 24, 1))
    velocity = momentum.init(params)
    rng = np.random.default_rng(1)
    for step in range(200):
        rows = rng.integers(0, len(x), 64)
        params, velocity, loss = train_step(params, velocity, x[rows], y[rows])
        if step % 50 == 0:
            print(f"step {step} loss {float(loss):.4f}")
    print(f"all data {float(loss_fn(params, x, y)):.4f}")


if __name__ == "__main__":
    main()
