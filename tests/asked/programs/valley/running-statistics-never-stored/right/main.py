import jax
import jax.numpy as jnp
import numpy as np
import optax

from norm_mlp import NormMLP
from train_loop import BNState, evaluate, train_step


def sensor_data(rng, n):
    label = rng.integers(0, 3, size=n)
    centre = np.array([[8.0, 40.0], [10.0, 44.0], [12.0, 39.0]])
    x = centre[label] + rng.normal(size=(n, 2))
    return x.astype(np.float32), label.astype(np.int32)


def main():
    rng = np.random.default_rng(0)
    model = NormMLP(features=(32, 32), classes=3)
    variables = model.init(jax.random.key(0), jnp.zeros((1, 2)), train=False)
    state = BNState.create(
        apply_fn=model.apply,
        params=variables["params"],
        tx=optax.adam(5e-3),
        batch_stats=variables["batch_stats"],
    )
    for step in range(120):
        state, loss = train_step(state, *sensor_data(rng, 64))
    print("train loss", round(float(loss), 3))
    print("test accuracy", float(evaluate(state, *sensor_data(rng, 512))))
    print("input mean", jnp.round(state.batch_stats["input_norm"]["mean"], 2))


if __name__ == "__main__":
    main()
