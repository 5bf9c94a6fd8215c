import flax.linen as nn
import jax
import numpy as np
import optax
from flax.training.train_state import TrainState

from train_lib import eval_step, train_step

HORIZON = 4


class TemporalConvNet(nn.Module):
    channels: int = 16

    @nn.compact
    def __call__(self, history):
        x = history[..., None]
        for dilation in (1, 2):
            x = nn.relu(nn.Conv(self.channels, (3,), kernel_dilation=dilation, padding="CAUSAL")(x))
        return nn.Dense(HORIZON)(x[:, -1])


class LoadForecastData:
    def __init__(self, n, window, seed):
        rng = np.random.default_rng(seed)
        t = np.arange(window + HORIZON) + rng.integers(0, 24, (n, 1))
        series = np.sin(2 * np.pi * t / 24) + 0.1 * rng.normal(size=t.shape)
        self.arrays = {
            "history": series[:, :window].astype(np.float32),
            "future": series[:, window:].astype(np.float32),
            "mask": (rng.random((n, HORIZON)) < 0.9).astype(np.float32),
        }

    def epoch(self, batch_size, rng):
        order = rng.permutation(len(self.arrays["history"]))
        for idx in order.reshape(-1, batch_size):
            yield {k: v[idx] for k, v in self.arrays.items()}


def main():
    train, test = LoadForecastData(512, 24, seed=0), LoadForecastData(128, 24, seed=1)
    model = TemporalConvNet()
    params = jax.jit(model.init)(jax.random.key(0), train.arrays["history"][:1])["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(5e-3))
    rng = np.random.default_rng(0)
    for epoch in range(5):
        for batch in train.epoch(64, rng):
            state, metrics = train_step(state, batch)
        test_mse = eval_step(state, test.arrays)
        print(f"epoch {epoch} step {state.step} loss {metrics['loss']:.4f} test mse {test_mse:.4f}")


if __name__ == "__main__":
    main()
