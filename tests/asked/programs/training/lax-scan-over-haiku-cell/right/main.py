"""Next-hour load forecast."""
import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax

from networks import Forecaster


def windows(series, length):
    idx = np.arange(len(series) - length)[:, None] + np.arange(length)
    return series[idx][..., None], series[length:]


def main():
    rng = np.random.default_rng(0)
    hours = np.arange(120)
    load = np.sin(hours * 2 * np.pi / 24) + 0.1 * rng.normal(size=hours.size)
    x, y = windows(load.astype(np.float32), length=12)

    forward = hk.without_apply_rng(hk.transform(lambda w: Forecaster()(w)))
    params = forward.init(jax.random.PRNGKey(42), x[:2])
    tx = optax.adam(1e-2)
    opt_state = tx.init(params)

    def loss_fn(params, x, y):
        return jnp.mean(jnp.square(forward.apply(params, x) - y))

    @jax.jit
    def step(params, opt_state, x, y):
        loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
        updates, opt_state = tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state, loss

    for epoch in range(15):
        params, opt_state, loss = step(params, opt_state, x, y)
    print(f"mse {loss:.4f}")
    print(sorted(params))


if __name__ == "__main__":
    main()
