import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax

from field import VectorField
from train import make_step


def spiral_data(rng, count, ts):
    start = rng.normal(size=(count, 2))
    decay = np.exp(-0.2 * ts)[None, :]
    cos, sin = np.cos(ts)[None, :], np.sin(ts)[None, :]
    x = decay * (start[:, :1] * cos - start[:, 1:] * sin)
    y = decay * (start[:, :1] * sin + start[:, 1:] * cos)
    return np.stack([x, y], axis=-1).astype(np.float32)


def main():
    rng = np.random.default_rng(8)
    ts = jnp.linspace(0.0, 2.0, 15)
    data = spiral_data(rng, 128, np.asarray(ts))
    field = VectorField(2, 32, key=jax.random.key(0))
    optimizer = optax.adam(5e-3)
    opt_state = optimizer.init(eqx.filter(field, eqx.is_inexact_array))
    step = make_step(optimizer)
    for iteration in range(150):
        rows = rng.choice(len(data), 32, replace=False)
        field, opt_state, loss = step(field, opt_state, ts, data[rows])
        if iteration % 50 == 0:
            print(f"iteration {iteration}: {loss:.4f}")
    print(f"final {loss:.4f}")


if __name__ == "__main__":
    main()
