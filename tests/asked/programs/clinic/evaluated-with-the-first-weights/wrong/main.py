"""Follow the error on held-out patients while a network learns their length of stay."""

import jax
import jax.numpy as jnp

from stay import batches, held_out
from training import create, evaluate, train_step


def main():
    state = create(jax.random.key(1), features=6)
    x, y = held_out()
    history = []
    for epoch in range(4):
        for batch in batches(epoch):
            state, _ = train_step(state, *batch)
        history.append(float(evaluate(state, x, y)))
    print("error in days after each epoch", [round(error, 1) for error in history])
    print("better than at first:", history[-1] < 0.7 * history[0])
    print("parameters are finite:", all(bool(jnp.all(jnp.isfinite(p))) for p in jax.tree.leaves(state.params)))


if __name__ == "__main__":
    main()
