import tempfile

import jax
import numpy as np

from checkpoint import CheckpointFolder
from model import create_state, train_step


def customers(rng, rows, num_features):
    x = rng.normal(size=(rows, num_features)).astype(np.float32)
    y = (x[:, 0] - 0.5 * x[:, 1] ** 2 > -0.3).astype(np.float32)
    return x, y


def main():
    rng = np.random.default_rng(5)
    x, y = customers(rng, 2048, 10)
    state = create_state(jax.random.key(0), num_features=10, lr=1e-3)
    with tempfile.TemporaryDirectory() as folder:
        checkpoints = CheckpointFolder(folder)
        for epoch in range(4):
            for rows in rng.permutation(len(x)).reshape(-1, 128):
                state, loss = train_step(state, x[rows], y[rows])
            checkpoints.save(state)
            print(f"epoch {epoch}: loss {loss:.3f}")
        fresh = create_state(jax.random.key(1), num_features=10, lr=1e-3)
        restored = checkpoints.latest(fresh)
    logits = restored.apply_fn({"params": restored.params}, x)
    print(f"step {int(restored.step)} accuracy {np.mean((logits > 0) == (y > 0.5)):.3f}")


if __name__ == "__main__":
    main()
