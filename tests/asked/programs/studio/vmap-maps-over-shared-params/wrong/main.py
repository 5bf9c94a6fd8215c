import jax
import jax.numpy as jnp
import numpy as np
import optax

from gp import log_marginal, posterior_mean
from kernels import init_hyper

tx = optax.adam(0.05)


@jax.jit
def step(hyper, opt_state, x, y):
    loss, grads = jax.value_and_grad(lambda h: -log_marginal(h, x, y))(hyper)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(hyper, updates), opt_state, loss


def main():
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, size=(40, 3)).astype(np.float32)
    y = (np.sin(2 * x[:, 0]) + 0.1 * rng.normal(size=40)).astype(np.float32)
    hyper = init_hyper(3)
    opt_state = tx.init(hyper)
    for i in range(61):
        hyper, opt_state, nll = step(hyper, opt_state, x, y)
        if i % 20 == 0:
            print(f"{i} nll {nll:.2f}")
    print("length scales", np.round(np.exp(np.asarray(hyper["log_scale"])), 2))
    x_test = rng.uniform(-2, 2, size=(50, 3)).astype(np.float32)
    error = posterior_mean(hyper, x, y, x_test) - jnp.sin(2 * x_test[:, 0])
    print("rmse", round(float(jnp.sqrt((error**2).mean())), 3))


if __name__ == "__main__":
    main()
