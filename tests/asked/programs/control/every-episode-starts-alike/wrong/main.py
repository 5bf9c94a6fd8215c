"""Measure how long a simple controller balances."""
import jax
import jax.numpy as jnp

import cartpole


def controller(state):
    return (state.angle + state.velocity < 0).astype(jnp.float32)


@jax.jit
def episode(key):
    def step(carry, _):
        state, fallen = carry
        state, down = cartpole.step(state, controller(state))
        return (state, fallen | down), ~fallen

    _, alive = jax.lax.scan(step, (cartpole.reset(key), jnp.bool_(False)), None, length=50)
    start = cartpole.reset(key)
    return alive.sum(), start.angle


def main():
    key = jax.random.key(0)
    starts = []
    for _ in range(6):
        length, start = episode(key)  # mistake
        starts.append(round(float(start), 5))
    print("distinct starts", len(set(starts)), "last length", int(length) > 0)


if __name__ == "__main__":
    main()
