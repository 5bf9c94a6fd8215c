from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import optax

from accumulate import accumulate_gradients

CONFIG = dict(batch_size=128, num_micro=4, lr=2e-2, steps=40, hidden=24)


def init(key, in_dim, hidden):
    k1, k2 = jax.random.split(key)
    return {
        "dense": {"kernel": jax.random.normal(k1, (in_dim, hidden)) * in_dim**-0.5, "bias": jnp.zeros(hidden)},
        "out": {"kernel": jax.random.normal(k2, (hidden, 1)) * hidden**-0.5, "bias": jnp.zeros(1)},
    }


def loss_fn(params, batch):
    h = jax.nn.gelu(batch["x"] @ params["dense"]["kernel"] + params["dense"]["bias"])
    logits = (h @ params["out"]["kernel"] + params["out"]["bias"])[:, 0]
    return optax.sigmoid_binary_cross_entropy(logits, batch["y"]).mean()


tx = optax.sgd(CONFIG["lr"], momentum=0.9, nesterov=True)


@partial(jax.jit, static_argnames=("num_micro",))
def train_step(params, opt_state, batch, num_micro):
    loss, grads = accumulate_gradients(loss_fn, params, batch, num_micro)
    updates, opt_state = tx.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


# %% train on the XOR of the first two signs
rng = np.random.default_rng(11)
params = init(jax.random.key(0), 12, CONFIG["hidden"])
opt_state = tx.init(params)
for step in range(CONFIG["steps"]):
    x = rng.normal(size=(CONFIG["batch_size"], 12)).astype(np.float32)
    y = (x[:, 0] * x[:, 1] > 0).astype(np.float32)
    params, opt_state, loss = train_step(params, opt_state, {"x": x, "y": y}, num_micro=CONFIG["num_micro"])
    if step % 10 == 9:
        print(f"{step + 1:3d} loss {loss:.4f}")
