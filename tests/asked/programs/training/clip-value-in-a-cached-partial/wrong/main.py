"""Train a support vector machine."""
import jax
import jax.numpy as jnp
import numpy as np

from trainer import train

COMPILED = []
jax.monitoring.register_event_duration_secs_listener(
    lambda event, *_, **__: COMPILED.append(event) if event.endswith("backend_compile_duration") else None
)


def main():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, 2)).astype(np.float32)
    y = np.sign(x[:, 0] + 0.1).astype(np.float32)
    w = jnp.zeros(2)
    COMPILED.clear()
    train(w, x, y, [0.1 * k for k in range(1, 16)])
    print("compiled more than five programs:", len(COMPILED) > 5)


if __name__ == "__main__":
    main()
