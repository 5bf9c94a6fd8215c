"""Train with minibatches and report epochs."""
import jax
import jax.numpy as jnp
import numpy as np

from tracker import EpochTracker


@jax.jit
def step(w, x, y):
    loss, grad = jax.value_and_grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)
    return w - 0.1 * grad, loss


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(5, 20, 3)).astype(np.float32)
    y = x @ np.array([1.0, 0.0, -1.0], np.float32)
    w = jnp.zeros(3)
    tracker = EpochTracker()
    for epoch in range(3):
        for xs, ys in zip(x, y):
            w, loss = step(w, xs, ys)
            tracker.add(loss)
        print(epoch, "finite", np.isfinite(tracker.summary()))


if __name__ == "__main__":
    main()
