"""Online dynamics model that is refitted on the most recent transitions."""
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

CAPACITY = 32


class History(NamedTuple):
    inputs: jax.Array
    targets: jax.Array
    stamp: jax.Array
    cursor: jax.Array


def empty_history():
    return History(
        inputs=jnp.zeros((CAPACITY, 2)),
        targets=jnp.zeros(CAPACITY),
        stamp=jnp.full(CAPACITY, -1),
        cursor=jnp.zeros((), jnp.int32),
    )


def record(history: History, x, y, t):
    i = history.cursor
    return History(
        inputs=history.inputs.at[i].set(x),  # mistake
        targets=history.targets.at[i].set(y),
        stamp=history.stamp.at[i].set(t),
        cursor=i + 1,  # mistake
    )


def fit(history: History, ridge=1e-3):
    weight = (history.stamp >= 0).astype(jnp.float32)
    x = history.inputs * weight[:, None]
    return jnp.linalg.solve(x.T @ x + ridge * jnp.eye(2), x.T @ (history.targets * weight))


def plant(pos, action, t):
    """The actuator gets weaker over time."""
    gain = jnp.where(t < 60, 1.0, 0.4)
    return 0.8 * pos + gain * action


@jax.jit
def simulate(key, ts):
    def step(carry, t):
        pos, history = carry
        action = jax.random.normal(jax.random.fold_in(key, t))
        nxt = plant(pos, action, t)
        history = record(history, jnp.stack([pos, action]), nxt, t)
        return (nxt, history), nxt

    (_, history), path = jax.lax.scan(step, (jnp.zeros(()), empty_history()), ts)
    return history, path


def main():
    history, path = simulate(jax.random.key(0), jnp.arange(120))
    decay, gain = np.asarray(fit(history))
    tail = path[-5:]
    print(f"model: decay {decay:.2f} gain {gain:.2f}")
    print("newest transition", int(history.stamp.max()), "last position finite", bool(jnp.isfinite(tail[4])))


if __name__ == "__main__":
    main()
