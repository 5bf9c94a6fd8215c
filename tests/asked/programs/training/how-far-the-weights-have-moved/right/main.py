"""Train until the weights hardly move."""

import jax
import jax.numpy as jnp
from state import create
from steps import distance, train_step


def main():
    k_init, k_data = jax.random.split(jax.random.key(1))
    x = jax.random.normal(k_data, (64, 5))
    y = jnp.sin(x[:, 0]) + 0.5 * x[:, 1]
    state = create(k_init, 5)
    moved = []
    for _ in range(30):
        before = jax.tree.map(jnp.copy, state.params)
        new_state, loss = train_step(state, x, y)
        moved.append(float(distance(before, new_state.params)))
        state = new_state
    print("steps", int(state.step))
    print("always moved", min(moved) > 0)
    print("loss is small", bool(loss < 1.0))


if __name__ == "__main__":
    main()
