import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from forecaster import LoadForecaster


def electricity_load(n_days: int, seed: int = 0):
    rng = np.random.default_rng(seed)
    hours = np.arange(24 * n_days)
    load = 1 + 0.5 * np.sin(2 * np.pi * hours / 24) + 0.05 * rng.normal(size=hours.size)
    windows = np.stack([load[i : i + 49] for i in range(0, hours.size - 49, 7)])
    windows = windows.astype(np.float32)
    return windows[:, :-1, None], windows[:, -1]


@eqx.filter_jit
def make_step(model, opt_state, tx, x, y):
    def loss_fn(model):
        pred = jax.vmap(model)(x)
        return jnp.mean((pred - y) ** 2)

    loss, grads = eqx.filter_value_and_grad(loss_fn)(model)
    updates, opt_state = tx.update(grads, opt_state)
    return eqx.apply_updates(model, updates), opt_state, loss


def main():
    x, y = electricity_load(60)
    model = LoadForecaster(hidden_size=24, key=jax.random.key(7))
    tx = optax.adam(5e-3)
    opt_state = tx.init(eqx.filter(model, eqx.is_inexact_array))
    for i in range(60):
        model, opt_state, loss = make_step(model, opt_state, tx, x, y)
        if i % 20 == 0:
            print(f"step {i} mse {float(loss):.4f}")
    print("final", f"{float(loss):.4f}")


if __name__ == "__main__":
    main()
