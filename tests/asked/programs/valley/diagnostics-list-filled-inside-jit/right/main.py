import jax
import jax.numpy as jnp
import numpy as np

from monitor import Monitor
from logistic import init_weights, make_train_step


def make_blobs(seed, n, dim):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, size=n)
    x = rng.normal(size=(n, dim)) + 1.2 * (2 * y[:, None] - 1)
    return x.astype(np.float32), y.astype(np.float32)


def main():
    x, y = make_blobs(0, 600, 5)
    weights = init_weights(5)
    monitor = Monitor()
    train_step = jax.jit(make_train_step(0.2, 1e-3))
    for start in range(0, 600, 50):
        batch = (x[start : start + 50], y[start : start + 50])
        weights, loss, norm = train_step(weights, batch)
        monitor.losses.append(loss)
        monitor.grad_norms.append(norm)
    print("mean loss", jnp.round(monitor.mean_loss(), 4))
    print("largest gradient", jnp.round(monitor.max_norm(), 4))


if __name__ == "__main__":
    main()
