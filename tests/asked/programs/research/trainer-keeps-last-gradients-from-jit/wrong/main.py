import jax
import jax.numpy as jnp
import numpy as np

from trainer import Trainer


def init_lstm(key, in_dim, hidden):
    k1, k2, k3 = jax.random.split(key, 3)
    return {
        "wx": jax.random.normal(k1, (in_dim, 4 * hidden)) * in_dim**-0.5,
        "wh": jax.random.normal(k2, (hidden, 4 * hidden)) * hidden**-0.5,
        "b": jnp.zeros(4 * hidden),
        "readout": jax.random.normal(k3, (hidden,)) * hidden**-0.5,
    }


def run_lstm(params, series):
    hidden = params["wh"].shape[0]

    def cell(carry, x):
        h, c = carry
        i, f, g, o = jnp.split(x @ params["wx"] + h @ params["wh"] + params["b"], 4, axis=-1)
        c = jax.nn.sigmoid(f + 1.0) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), None

    zeros = jnp.zeros((series.shape[0], hidden))
    (h, _), _ = jax.lax.scan(cell, (zeros, zeros), jnp.swapaxes(series, 0, 1))
    return h @ params["readout"]


def forecast_mse(params, batch):
    return jnp.mean((run_lstm(params, batch["history"]) - batch["next"]) ** 2)


def waves(rng, n, length=20):
    phase, freq = rng.uniform(0, 6, (n, 1)), rng.uniform(0.2, 0.5, (n, 1))
    x = np.sin(phase + freq * np.arange(length + 1)).astype(np.float32)
    return {"history": x[:, :-1, None], "next": x[:, -1]}


def main():
    rng = np.random.default_rng(0)
    trainer = Trainer(forecast_mse, init_lstm(jax.random.key(0), 1, 16))
    for step in range(60):
        loss = trainer.step(waves(rng, 64))
        if step % 20 == 19:
            print(f"step {step + 1} mse {loss:.4f}")
    for name, norm in trainer.grad_report().items():
        print(f"{name:12s} {norm:.5f}")


if __name__ == "__main__":
    main()
