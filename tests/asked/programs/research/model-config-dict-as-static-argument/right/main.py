from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import optax

from config import parse_overrides

ACTIVATIONS = {"gelu": jax.nn.gelu, "relu": jax.nn.relu, "tanh": jnp.tanh}


def init_params(key, cfg, in_dim, out_dim):
    sizes = [in_dim] + [cfg.hidden] * cfg.depth + [out_dim]
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        (jax.random.normal(k, (a, b)) / np.sqrt(a), jnp.zeros((b,)))
        for k, a, b in zip(keys, sizes[:-1], sizes[1:])
    ]


def forward(params, x, cfg):
    act = ACTIVATIONS[cfg.activation]
    for w, b in params[:-1]:
        h = act(x @ w + b)
        x = x + h if cfg.residual and h.shape == x.shape else h
    w, b = params[-1]
    return (x @ w + b).squeeze(-1)


tx = optax.adamw(1e-3, weight_decay=1e-2)


@partial(jax.jit, static_argnames=("cfg",))
def update(params, opt_state, x, y, cfg):
    def loss_fn(p):
        return jnp.mean(optax.huber_loss(forward(p, x, cfg), y))

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = tx.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


def main():
    cfg = parse_overrides(["hidden=32", "activation=tanh"])
    rng = np.random.default_rng(0)
    table = rng.normal(size=(400, 10)).astype(np.float32)
    price = (table[:, :3].sum(1) - table[:, 4] ** 2).astype(np.float32)
    params = init_params(jax.random.key(0), cfg, 10, 1)
    opt_state = tx.init(params)
    for epoch in range(4):
        losses = []
        for idx in np.array_split(rng.permutation(400), 8):
            params, opt_state, loss = update(params, opt_state, table[idx], price[idx], cfg=cfg)
            losses.append(loss)
        print(f"epoch {epoch} huber {np.mean(jax.device_get(losses)):.4f}")


if __name__ == "__main__":
    main()
