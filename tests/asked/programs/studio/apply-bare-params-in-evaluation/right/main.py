import jax
import jax.numpy as jnp
import numpy as np
import optax

from checkpoint import MemoryCheckpointer
from model import Forecaster

HISTORY, HORIZON = 24, 6
net = Forecaster(HORIZON)
tx = optax.adam(2e-3)


def load_series(rng, n):
    t = np.arange(HISTORY + HORIZON)
    phase = rng.uniform(0, 2 * np.pi, size=(n, 1))
    series = np.sin(0.4 * t + phase) + 0.05 * rng.normal(size=(n, t.size))
    series = series.astype(np.float32)
    return series[:, :HISTORY], series[:, HISTORY:]


@jax.jit
def train_step(params, opt_state, x, y):
    def loss_fn(p):
        return jnp.mean((net.apply({"params": p}, x) - y) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(params)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss


@jax.jit
def evaluate(params, x, y):
    pred = net.apply({"params": params}, x)
    return {"mae": jnp.abs(pred - y).mean(), "bias": (pred - y).mean()}


def main():
    rng = np.random.default_rng(0)
    template = net.init(jax.random.key(0), jnp.zeros((1, HISTORY)))["params"]
    params, opt_state = template, tx.init(template)
    ckpt = MemoryCheckpointer()
    for step in range(1, 121):
        params, opt_state, loss = train_step(params, opt_state, *load_series(rng, 64))
        if step % 60 == 0:
            ckpt.save(step, params)
            print(step, f"{loss:.4f}")
    restored = ckpt.restore(ckpt.latest(), template)
    metrics = evaluate(restored, *load_series(rng, 128))
    print({k: round(float(v), 3) for k, v in metrics.items()})


if __name__ == "__main__":
    main()
