import jax
import numpy as np

from models import init_mlp
from train import optimizer, train_step


def batches(rng, x, y, batch_size):
    order = rng.permutation(len(x))
    for start in range(0, len(x) - batch_size + 1, batch_size):
        idx = order[start:start + batch_size]
        yield {"x": x[idx], "y": y[idx]}


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(512, 8)).astype(np.float32)
    y = np.sin(x[:, 0]) + 0.3 * x[:, 1]
    params = init_mlp(jax.random.key(0), [8, 32, 32, 1])
    opt_state = optimizer.init(params)
    for epoch in range(4):
        losses = []
        for batch in batches(rng, x, y, 64):
            params, opt_state, loss = train_step(params, opt_state, batch)
            losses.append(loss)
        print(f"epoch {epoch} loss {np.mean(losses):.4f}")


if __name__ == "__main__":
    main()
