import jax
import jax.numpy as jnp

from env import AutoReset, BallInBox


def controller(state, gain):
    return -gain * state.position


@jax.jit
def run(key, gain):
    env = BallInBox()
    wrapped = AutoReset(env)
    k_reset, k_run = jax.random.split(key)
    state = env.reset(k_reset)
    state = state.replace(position=state.position + 0.1, steps=jnp.array(0))

    def body(state, k):
        state, done = wrapped.step(k, state, controller(state, gain))
        return state, done

    _, dones = jax.lax.scan(body, state, jax.random.split(k_run, 60))
    return dones.sum()


def main():
    for gain in (0.0, 0.5, 2.0):
        episodes = run(jax.random.key(0), gain)
        print(f"gain {gain}: {int(episodes)} episodes finished")


if __name__ == "__main__":
    main()
