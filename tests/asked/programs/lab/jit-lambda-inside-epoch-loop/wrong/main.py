import time

import jax
import numpy as np
import optax

from factorization import adam_update, init


def fit(ratings, epochs=6, batch_size=128, lr=0.02):
    rng = np.random.default_rng(0)
    users, items, values = ratings
    params = init(jax.random.key(0), 80, 50, 6)
    tx = optax.adam(lr)
    opt_state = tx.init(params)
    timings = []
    for epoch in range(epochs):
        start = time.perf_counter()
        step = jax.jit(lambda p, s, b: adam_update(tx, p, s, b))  # mistake
        losses = []
        order = rng.permutation(len(values)).reshape(-1, batch_size)
        for idx in order:
            batch = (users[idx], items[idx], values[idx])
            params, opt_state, loss = step(params, opt_state, batch)
            losses.append(loss)
        mean_loss = np.mean(jax.device_get(losses))
        timings.append(time.perf_counter() - start)
        print(f"epoch {epoch + 1} loss {mean_loss:.4f}")
    return params, timings


def main():
    rng = np.random.default_rng(1)
    users = rng.integers(0, 80, size=1280)
    items = rng.integers(0, 50, size=1280)
    taste, style = rng.normal(size=(80, 3)), rng.normal(size=(50, 3))
    values = (taste[users] * style[items]).sum(-1).astype(np.float32)
    _, timings = fit((users, items, values))
    print(f"first epoch {timings[0]:.3f}s, later epochs {np.mean(timings[1:]):.3f}s")


if __name__ == "__main__":
    main()
