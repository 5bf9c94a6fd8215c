"""Denoiser training with an exponential moving average of the weights."""
import dataclasses
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import optax


@dataclasses.dataclass(frozen=True)
class Hyper:
    lr: float = 2e-3
    ema_decay: float = 0.95
    steps: int = 60
    noise: float = 0.4


HYPER = Hyper()
optimizer = optax.adam(HYPER.lr)


def init_denoiser(key, dim=6, hidden=32):
    k1, k2 = jax.random.split(key)
    return {
        "enc": {"w": jax.random.normal(k1, (dim, hidden)) / dim**0.5, "b": jnp.zeros(hidden)},
        "dec": {"w": jax.random.normal(k2, (hidden, dim)) / hidden**0.5, "b": jnp.zeros(dim)},
    }


def denoise(params, x):
    h = jax.nn.silu(x @ params["enc"]["w"] + params["enc"]["b"])
    return h @ params["dec"]["w"] + params["dec"]["b"]


def objective(params, key, clean):
    noisy = clean + HYPER.noise * jax.random.normal(key, clean.shape)
    return jnp.mean((denoise(params, noisy) - clean) ** 2)


@partial(jax.jit, donate_argnums=(0, 1))
def train_step(params, opt_state, key, clean):
    loss, grads = jax.value_and_grad(objective)(params, key, clean)
    updates, opt_state = optimizer.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


@partial(jax.jit, donate_argnums=0)
def update_ema(ema, params):
    d = HYPER.ema_decay
    return jax.tree.map(lambda e, p: d * e + (1 - d) * p, ema, params)


def train(key, data):
    params = init_denoiser(key)
    opt_state = optimizer.init(params)
    ema_params = jax.tree.map(jnp.copy, params)
    for step in range(HYPER.steps):
        noise_key = jax.random.fold_in(key, step)
        params, opt_state, loss = train_step(params, opt_state, noise_key, data)
        ema_params = update_ema(ema_params, params)
    return params, ema_params, loss


def main():
    rng = np.random.default_rng(0)
    data = (rng.normal(size=(256, 2)) @ rng.normal(size=(2, 6))).astype(np.float32)
    params, ema_params, loss = train(jax.random.key(3), data)
    eval_key = jax.random.key(11)
    print(f"train loss {loss:.4f}")
    print(f"raw weights {objective(params, eval_key, data):.4f}")
    print(f"averaged weights {objective(ema_params, eval_key, data):.4f}")


if __name__ == "__main__":
    main()
