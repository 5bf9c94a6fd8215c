"""Train in two sessions, with a checkpoint in between."""

import tempfile
from pathlib import Path

import jax.numpy as jnp
import orbax.checkpoint as ocp

from training import batch, create, train_step


def first_session(path):
    state = create()
    for number in range(40):
        state, _ = train_step(state, *batch(number))
    with ocp.StandardCheckpointer() as checkpointer:
        checkpointer.save(path, state)


def second_session(path):
    with ocp.StandardCheckpointer() as checkpointer:
        state = checkpointer.restore(path)  # mistake
    for number in range(40, 80):
        state, loss = train_step(state, *batch(number))  # mistake
    return state, loss


def main():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder).resolve() / "state"
        first_session(path)
        state, loss = second_session(path)
    print("steps", int(state.step))
    print("loss is small:", bool(jnp.isfinite(loss) & (loss < 0.1)))


if __name__ == "__main__":
    main()
