import argparse

import jax
import jax.numpy as jnp
import numpy as np
import optax

from optim import make_optimizer
from presets import PRESETS


def batches(n_steps, batch_size, seed=0):
    rng = np.random.default_rng(seed)
    w = rng.normal(size=(12,)).astype(np.float32)
    for _ in range(n_steps):
        x = rng.normal(size=(batch_size, 12)).astype(np.float32)
        yield x, np.tanh(x @ w)


def init_params(key, width=32):
    k1, k2 = jax.random.split(key)
    return {
        "hidden": jax.random.normal(k1, (12, width)) * 0.3,
        "out": jax.random.normal(k2, (width,)) * 0.1,
    }


def loss_fn(params, x, y):
    pred = jax.nn.silu(x @ params["hidden"]) @ params["out"]
    return jnp.mean((pred - y) ** 2)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--preset", default="debug", choices=sorted(PRESETS))
    args = parser.parse_args()
    cfg = PRESETS[args.preset]
    tx, schedule = make_optimizer(cfg)
    params = init_params(jax.random.key(cfg["seed"]))
    opt_state = tx.init(params)

    @jax.jit
    def step(params, opt_state, x, y):
        loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
        updates, opt_state = tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss

    for i, (x, y) in enumerate(batches(cfg["total_steps"], cfg["batch_size"])):
        params, opt_state, loss = step(params, opt_state, x, y)
        if i % 20 == 0:
            print(f"{i:5d} lr {float(schedule(i)):.2e} loss {float(loss):.4f}")


if __name__ == "__main__":
    main()
