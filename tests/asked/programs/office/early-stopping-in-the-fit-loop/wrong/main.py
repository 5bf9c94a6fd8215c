import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax

CONFIG = {
    "epochs": 30,
    "batch": 32,
    "lr": 3e-2,
    "patience": 3,
    "lags": 12,
}


def weekly_sales(n=420, seed=1):
    t = np.arange(n)
    rng = np.random.default_rng(seed)
    y = 3 + 0.01 * t + np.sin(2 * np.pi * t / 52) + 0.3 * rng.normal(size=n)
    return ((y - y.mean()) / y.std()).astype(np.float32)


def windows(series, lags):
    x = np.stack([series[i:i + lags] for i in range(len(series) - lags)])
    return x, series[lags:]


def forecast(params, x):
    hidden = jnp.tanh(x @ params["w1"] + params["b1"])
    return hidden @ params["w2"] + params["b2"]


def mse(params, x, y):
    return jnp.mean((forecast(params, x) - y) ** 2)


def make_epoch(tx):
    def one_batch(carry, batch):
        params, opt_state = carry
        loss, grads = jax.value_and_grad(mse)(params, *batch)
        updates, opt_state = tx.update(grads, opt_state)
        return (optax.apply_updates(params, updates), opt_state), loss

    @jax.jit
    def epoch(params, opt_state, batches, valid):
        (params, opt_state), losses = lax.scan(one_batch, (params, opt_state), batches)
        valid_loss = float(mse(params, *valid))  # mistake
        return params, opt_state, losses.mean(), valid_loss

    return epoch


def fit(config):
    x, y = windows(weekly_sales(), config["lags"])
    split = 320
    usable = split // config["batch"] * config["batch"]
    batches = (x[:usable].reshape(-1, config["batch"], config["lags"]), y[:usable].reshape(-1, config["batch"]))
    k1, k2 = jax.random.split(jax.random.key(0))
    params = {
        "w1": 0.3 * jax.random.normal(k1, (config["lags"], 16)), "b1": jnp.zeros(16),
        "w2": 0.3 * jax.random.normal(k2, (16,)), "b2": jnp.zeros(()),
    }
    tx = optax.adam(config["lr"])
    opt_state, epoch = tx.init(params), make_epoch(tx)
    best, bad = np.inf, 0
    for i in range(config["epochs"]):
        params, opt_state, train_loss, valid_loss = epoch(params, opt_state, batches, (x[split:], y[split:]))
        if valid_loss < best:
            best, bad = valid_loss, 0
        else:
            bad += 1
        if bad >= config["patience"]:
            break
    print(f"stopped after {i + 1} epochs, train {train_loss:.4f}, best valid {best:.4f}")


fit(CONFIG)
