"""Find the first principal component with stochastic steps."""
from functools import partial

import jax
import jax.numpy as jnp

import data


@partial(jax.jit, donate_argnames="direction")
def step(direction, batch):
    scores = batch @ direction
    direction = direction + 0.1 * scores @ batch / len(batch)
    return direction / jnp.linalg.norm(direction), batch * 0.5


def main():
    batches = data.normalised(data.load(jax.random.key(0), 3, 8))
    direction = jnp.ones(4) / 2.0
    for batch in data.epochs(batches, 2):
        direction, _ = step(direction, batch)
    print("unit length", bool(jnp.allclose(jnp.linalg.norm(direction), 1.0, atol=1e-4)))


if __name__ == "__main__":
    main()
