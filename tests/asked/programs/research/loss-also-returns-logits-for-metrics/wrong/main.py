import jax
import jax.numpy as jnp
import numpy as np
import optax

from losses import apply_mlp, coverage, forecast_loss, init_mlp

QUANTILES = jnp.array([0.1, 0.5, 0.9])


class Forecaster:
    def __init__(self, num_features: int, seed: int = 0, learning_rate: float = 1e-2):
        self.tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(learning_rate))
        self.params = init_mlp(jax.random.key(seed), [num_features, 32, 32, len(QUANTILES)])
        self.opt_state = self.tx.init(self.params)
        self._update = jax.jit(self._make_update())

    def _make_update(self):
        loss_and_grad = jax.value_and_grad(forecast_loss)  # mistake

        def update(params, opt_state, features, target):
            (loss, aux), grads = loss_and_grad(params, apply_mlp, features, target, QUANTILES)  # mistake
            updates, opt_state = self.tx.update(grads, opt_state, params)
            params = optax.apply_updates(params, updates)
            return params, opt_state, loss, coverage(aux["pred"], target)

        return update

    def fit(self, features, target, epochs=5, batch_size=64):
        history = []
        for _ in range(epochs):
            for i in range(0, len(features), batch_size):
                sl = slice(i, i + batch_size)
                self.params, self.opt_state, loss, cov = self._update(
                    self.params, self.opt_state, features[sl], target[sl]
                )
            history.append((float(loss), float(cov)))
        return history


def main():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(512, 6)).astype(np.float32)
    target = (np.sin(features[:, 0]) + 0.3 * rng.normal(size=512)).astype(np.float32)
    forecaster = Forecaster(features.shape[1])
    for epoch, (loss, cov) in enumerate(forecaster.fit(features, target)):
        print(f"epoch {epoch}: pinball {loss:.4f} coverage {cov:.3f}")


if __name__ == "__main__":
    main()
