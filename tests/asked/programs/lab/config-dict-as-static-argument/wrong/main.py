from functools import partial

import jax
import numpy as np
import optax

from config import default_config
from vae import elbo, init_vae

tx = optax.adam(2e-3)


@partial(jax.jit, static_argnames=("cfg",))
def train_step(params, opt_state, key, x, cfg):
    loss, grads = jax.value_and_grad(elbo)(params, key, x, cfg)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


def main():
    cfg = default_config()
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, size=512)
    data = np.stack([np.cos(angle), np.sin(angle), angle / 3], axis=1).astype(np.float32)
    init_key, key = jax.random.split(jax.random.key(0))
    params = init_vae(init_key, data.shape[1], cfg)
    opt_state = tx.init(params)
    for step in range(101):
        key, sub = jax.random.split(key)
        batch = data[rng.choice(512, 64)]
        params, opt_state, loss = train_step(params, opt_state, sub, batch, cfg=cfg)  # mistake
        if step % 50 == 0:
            print(f"{step} {loss:.4f}")


if __name__ == "__main__":
    main()
