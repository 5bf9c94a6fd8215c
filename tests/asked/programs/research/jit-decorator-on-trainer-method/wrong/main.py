"""Matrix factorisation of a gene expression table with early stopping."""
import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import optax


@dataclasses.dataclass(frozen=True)
class FitConfig:
    rank: int = 6
    learning_rate: float = 0.05
    ridge: float = 1e-3
    patience: int = 5
    max_epochs: int = 60


class Factorizer:
    def __init__(self, config: FitConfig, shape: tuple[int, int]):
        self.config = config
        self.shape = shape
        self.tx = optax.adam(config.learning_rate)

    def init(self, key):
        row_key, col_key = jax.random.split(key)
        params = {
            "rows": 0.1 * jax.random.normal(row_key, (self.shape[0], self.config.rank)),
            "cols": 0.1 * jax.random.normal(col_key, (self.shape[1], self.config.rank)),
            "offset": jnp.zeros(self.shape[1]),
        }
        return params, self.tx.init(params)

    def reconstruct(self, params):
        return params["rows"] @ params["cols"].T + params["offset"]

    def objective(self, params, table, observed):
        residual = jnp.where(observed, self.reconstruct(params) - table, 0.0)
        penalty = sum(jnp.sum(p**2) for p in (params["rows"], params["cols"]))
        return jnp.sum(residual**2) / observed.sum() + self.config.ridge * penalty / table.size

    @jax.jit  # mistake
    def update(self, params, opt_state, table, observed):
        loss, grads = jax.value_and_grad(self.objective)(params, table, observed)
        updates, opt_state = self.tx.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), opt_state, loss


def fit(model: Factorizer, table, observed, held_out, key):
    params, opt_state = model.init(key)
    best, best_epoch = np.inf, 0
    for epoch in range(model.config.max_epochs):
        params, opt_state, loss = model.update(params, opt_state, table, observed)  # mistake
        error = np.asarray(model.reconstruct(params))[held_out] - table[held_out]
        rmse = float(np.sqrt(np.mean(error**2)))
        if rmse < best - 1e-4:
            best, best_epoch = rmse, epoch
        elif epoch - best_epoch >= model.config.patience:
            break
        if epoch % 15 == 0:
            print(f"epoch {epoch:3d} objective {loss:.4f} held-out rmse {rmse:.4f}")
    return best, best_epoch


def main():
    rng = np.random.default_rng(4)
    table = (rng.normal(size=(80, 4)) @ rng.normal(size=(4, 30)) + 0.1 * rng.normal(size=(80, 30))).astype(np.float32)
    held_out = rng.random(table.shape) < 0.1
    model = Factorizer(FitConfig(), table.shape)
    best, epoch = fit(model, table, ~held_out, held_out, jax.random.key(0))
    print(f"best rmse {best:.4f} at epoch {epoch}")


if __name__ == "__main__":
    main()
