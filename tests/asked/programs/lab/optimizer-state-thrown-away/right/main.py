import jax
import jax.numpy as jnp
import numpy as np
import optax

from trainer import Trainer


def init_params(key, n_in, width=32):
    k1, k2, k3 = jax.random.split(key, 3)
    scale = lambda k, m, n: jax.random.normal(k, (m, n)) / jnp.sqrt(m)
    return {"w1": scale(k1, n_in, width), "w2": scale(k2, width, width), "w3": scale(k3, width, 1)}


def quantile_loss(params, x, y, q=0.9):
    h = jax.nn.relu(x @ params["w1"])
    h = jax.nn.relu(h @ params["w2"])
    error = y - (h @ params["w3"])[:, 0]
    return jnp.maximum(q * error, (q - 1.0) * error).mean()


def electricity_load(rng, n):
    x = rng.uniform(-1, 1, size=(n, 5))
    y = 2 * np.sin(3 * x[:, 0]) + x[:, 1] ** 2 + 0.3 * rng.exponential(size=n)
    return x.astype(np.float32), y.astype(np.float32)


def main():
    rng = np.random.default_rng(0)
    schedule = optax.warmup_cosine_decay_schedule(1e-4, 1e-2, 20, 200)
    trainer = Trainer(quantile_loss, init_params(jax.random.key(0), 5), schedule)
    for step in range(201):
        loss = trainer.step(*electricity_load(rng, 128))
        if step % 50 == 0:
            print(f"step {step} loss {loss:.4f} lr {trainer.learning_rate:.5f}")


if __name__ == "__main__":
    main()
