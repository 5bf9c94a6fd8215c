import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training.train_state import TrainState as BaseState

from ema import EMA


class TrainState(BaseState):
    ema: EMA

    def apply_gradients(self, *, grads, **kwargs):
        new_state = super().apply_gradients(grads=grads, **kwargs)
        return new_state.replace(ema=self.ema.update(new_state.params))


class PriceModel(nn.Module):
    @nn.compact
    def __call__(self, x):
        for width in (32, 16):
            x = nn.silu(nn.Dense(width)(x))
        return nn.Dense(1)(x)[..., 0]


@jax.jit
def train_step(state, x, y):
    def loss_fn(params):
        return optax.losses.squared_error(state.apply_fn({"params": params}, x), y).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


@jax.jit
def rmse(state, params, x, y):
    return jnp.sqrt(jnp.mean((state.apply_fn({"params": params}, x) - y) ** 2))


def houses(seed, n):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 7)).astype(np.float32)
    return x, (2 * x[:, 0] + np.abs(x[:, 1]) + 0.3 * rng.normal(size=n)).astype(np.float32)


def main():
    x, y = houses(0, 512)
    x_test, y_test = houses(1, 256)
    model = PriceModel()
    params = jax.jit(model.init)(jax.random.key(0), x[:1])["params"]
    state = TrainState.create(
        apply_fn=model.apply, params=params, tx=optax.adam(1e-2), ema=EMA.create(params, decay=0.95)
    )
    for step in range(100):
        idx = np.random.default_rng(step).integers(0, 512, 32)
        state, loss = train_step(state, x[idx], y[idx])
    print(f"last batch mse {loss:.4f}")
    print("rmse raw", rmse(state, state.params, x_test, y_test))
    print("rmse ema", rmse(state, state.ema.unbiased(), x_test, y_test))


if __name__ == "__main__":
    main()
