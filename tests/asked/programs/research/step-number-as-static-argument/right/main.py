import time
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from annealing import kl_weight, temperature


class State(NamedTuple):
    params: dict
    opt_state: optax.OptState


tx = optax.adam(2e-3)


def init_state(key, in_dim, num_codes):
    enc_key, dec_key = jax.random.split(key)
    params = {
        "enc": jax.random.normal(enc_key, (in_dim, num_codes)) / np.sqrt(in_dim),
        "dec": jax.random.normal(dec_key, (num_codes, in_dim)) / np.sqrt(num_codes),
    }
    return State(params, tx.init(params))


def loss_fn(params, x, key, tau, beta):
    logits = x @ params["enc"]
    gumbel = jax.random.gumbel(key, logits.shape)
    codes = jax.nn.softmax((logits + gumbel) / tau, axis=-1)
    recon = codes @ params["dec"]
    log_q = jax.nn.log_softmax(logits, axis=-1)
    kl = jnp.sum(jnp.exp(log_q) * (log_q + jnp.log(logits.shape[-1])), axis=-1)
    return jnp.mean(jnp.sum((recon - x) ** 2, axis=-1) + beta * kl)


@partial(jax.jit, static_argnames=("warmup",))
def update(state, x, key, step, warmup):
    tau, beta = temperature(step), kl_weight(step, warmup)
    loss, grads = jax.value_and_grad(loss_fn)(state.params, x, key, tau, beta)
    updates, opt_state = tx.update(grads, state.opt_state)
    return State(optax.apply_updates(state.params, updates), opt_state), loss


def main():
    rng = np.random.default_rng(0)
    centers = rng.normal(size=(8, 12))
    state = init_state(jax.random.key(0), 12, 8)
    base_key = jax.random.key(1)
    start = time.perf_counter()
    for step in range(6):
        x = (centers[rng.integers(0, 8, 64)] + 0.1 * rng.normal(size=(64, 12))).astype(np.float32)
        state, loss = update(state, x, jax.random.fold_in(base_key, step), step, warmup=4)
        if step % 2 == 1:
            print(f"step {step + 1} loss {loss:.4f}")
    jax.block_until_ready(state)
    print(f"{time.perf_counter() - start:.2f} s, compiled versions of update: {update._cache_size()}")


if __name__ == "__main__":
    main()
