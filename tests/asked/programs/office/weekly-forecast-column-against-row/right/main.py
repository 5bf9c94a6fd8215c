import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax.training import train_state


class LoadForecaster(nn.Module):
    """Small temporal convolution over the last two weeks of load."""

    channels: int = 16

    @nn.compact
    def __call__(self, history, calendar):
        h = nn.Conv(self.channels, kernel_size=(5,), padding="CAUSAL")(history[..., None])
        h = nn.relu(h)
        h = nn.Conv(self.channels, kernel_size=(3,), padding="CAUSAL")(h)
        h = jnp.concatenate([nn.relu(h)[:, -1], calendar], axis=-1)
        return nn.Dense(1)(h)


def load_curve(days=400, seed=0):
    rng = np.random.default_rng(seed)
    t = np.arange(days)
    load = np.sin(2 * np.pi * t / 7) + 0.5 * np.sin(2 * np.pi * t / 365) + 0.1 * rng.normal(size=days)
    return load.astype(np.float32), np.eye(7, dtype=np.float32)[t % 7]


def make_dataset(horizon=1, lookback=14):
    load, weekday = load_curve()
    idx = np.arange(lookback, len(load) - horizon)
    history = np.stack([load[i - lookback:i] for i in idx])
    return {"history": history, "calendar": weekday[idx], "target": load[idx]}


@jax.jit
def train_step(state, batch):
    def loss_fn(params):
        pred = state.apply_fn({"params": params}, batch["history"], batch["calendar"])
        return jnp.mean((pred[:, 0] - batch["target"]) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def main():
    data = make_dataset()
    model = LoadForecaster()
    params = model.init(jax.random.key(0), data["history"][:1], data["calendar"][:1])["params"]
    state = train_state.TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(5e-3))
    rng = np.random.default_rng(0)
    for _ in range(150):
        idx = rng.integers(0, 320, 64)
        state, loss = train_step(state, {k: v[idx] for k, v in data.items()})
    print(f"last training loss {loss:.4f}")
    pred = model.apply({"params": state.params}, data["history"][320:], data["calendar"][320:])
    mae = np.abs(np.asarray(pred)[:, 0] - data["target"][320:]).mean()
    print(f"test mae {mae:.3f}")


main()
