import jax
import jax.numpy as jnp

from environment import observe, reset, step


def auto_reset(key, state, action):
    """A step that begins a new episode when the old one is over."""
    state, reward, done = step(state, action)
    state = jax.lax.cond(done, lambda: reset(key), lambda: state)  # mistake
    return state, reward, done


@jax.jit
def rollout(key, state):
    def body(state, key):
        key_action, key_reset = jax.random.split(key)
        push = 0.5 * jax.random.normal(key_action) - 0.4 * observe(state).sum()
        state, reward, done = auto_reset(key_reset, state, push)
        return state, (reward, done)

    return jax.lax.scan(body, state, jax.random.split(key, 300))


def main():
    key_start, key_run = jax.random.split(jax.random.key(40))
    state, (rewards, dones) = rollout(key_run, reset(key_start))
    print("episodes", int(dones.sum()))
    print("mean reward", round(float(rewards.mean()), 3))
    print("steps of the last one", int(state.n_steps))


if __name__ == "__main__":
    main()
