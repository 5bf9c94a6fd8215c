import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

import state as st


class QualityNet(nn.Module):
    @nn.compact
    def __call__(self, x, train: bool):
        for width in (32, 32):
            x = nn.Dense(width)(x)
            x = nn.BatchNorm(use_running_average=not train, momentum=0.8)(x)
            x = nn.relu(x)
        return nn.Dense(3)(x)


def machine_readings(n, seed):
    """Sensors in raw units: large offsets and very different scales."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    z = rng.normal(size=(n, 6)) + 2.5 * np.eye(3, 6)[y]
    scale = np.array([4.0, 20.0, 2.0, 10.0, 5.0, 8.0])
    return {"x": (z * scale + 4 * scale).astype(np.float32), "y": y}


def main():
    state = st.create(QualityNet(), jax.random.key(0), jnp.zeros((2, 6)), lr=2e-2)
    for i in range(80):
        state, loss = st.train_step(state, machine_readings(64, seed=i))
    print(f"train loss {loss:.3f}")
    print(f"eval accuracy {st.eval_step(state, machine_readings(512, seed=10_000)):.3f}")


if __name__ == "__main__":
    main()
