import numpy as np
import optax
from flax import nnx

from keeper import BestKeeper
from regressor import Regressor, train_step, validate


def yields(rng, rows):
    x = rng.normal(size=(rows, 20)).astype(np.float32)
    y = x[:, 0] + 0.5 * x[:, 1] * x[:, 2] + rng.normal(0.0, 1.0, rows)
    return x, y.astype(np.float32)


def main():
    rng = np.random.default_rng(0)
    x, y = yields(rng, 128)
    val_x, val_y = yields(rng, 512)
    model = Regressor(20, 128, rngs=nnx.Rngs(1))
    optimizer = nnx.Optimizer(model, optax.adam(3e-3), wrt=nnx.Param)
    keeper = BestKeeper(patience=30)
    for epoch in range(200):
        train_step(model, optimizer, x, y)
        val_loss = float(validate(model, val_x, val_y))
        if keeper.update(model, epoch, val_loss):
            break
    print(f"stopped after epoch {epoch}, validation loss {val_loss:.3f}")
    print(f"best epoch {keeper.best_epoch}, validation loss {keeper.best_loss:.3f}")
    keeper.restore(model)
    print(f"restored model, validation loss {float(validate(model, val_x, val_y)):.3f}")


if __name__ == "__main__":
    main()
