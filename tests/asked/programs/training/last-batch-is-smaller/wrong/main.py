"""Train on a thousand rows."""

import jax
import jax.numpy as jnp
from batches import batches
from model import create, train_step

names = []
jax.monitoring.register_event_duration_secs_listener(
    lambda event, seconds, fun_name="", **_: names.append(fun_name) if "backend_compile" in event else None
)


def main():
    k_x, k_model, key = jax.random.split(jax.random.key(8), 3)
    x = jax.random.normal(k_x, (1000, 4))
    y = jnp.sin(x[:, 0]) + x[:, 1] * x[:, 2]
    model, opt_state = create(k_model)
    seen = []
    for _ in range(2):
        key, k_epoch = jax.random.split(key)
        for inputs, targets in batches(x, y, 96, k_epoch):
            seen.append(inputs.shape)
            model, opt_state, value = train_step(model, opt_state, inputs, targets)  # mistake
    print("batches of", len(set(seen)), "shapes")
    print("finite", bool(jnp.isfinite(value)))


if __name__ == "__main__":
    main()
