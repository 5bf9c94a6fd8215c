"""Linear regression with a decaying learning rate."""
import jax.numpy as jnp
import numpy as np

from optim import loss_fn, optimizer, step


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(50, 3)).astype(np.float32)
    y = x @ np.array([1.0, 2.0, -1.0], np.float32) + 0.5
    params = {"w": jnp.zeros(3), "b": jnp.zeros(())}
    opt_state = optimizer.init(params)
    for _ in range(60):
        params, opt_state = step(params, opt_state, x, y)
    print("steps counted", int(opt_state[0].count), "loss", round(float(loss_fn(params, x, y)), 2))


if __name__ == "__main__":
    main()
