"""Drop a fleet of landers without any thrust."""
import jax
import jax.numpy as jnp

import lander


@jax.jit
def drop(state, steps_of_thrust):
    def body(state, thrust):
        state = lander.step(state, thrust)  # mistake
        return state, state.done.sum()

    return jax.lax.scan(body, state, steps_of_thrust)


if __name__ == "__main__":
    count = 6
    state = lander.reset(jax.random.key(4), count)
    state, landed = drop(state, jnp.zeros((40, count)))
    print("landed", int(landed[-1]))
