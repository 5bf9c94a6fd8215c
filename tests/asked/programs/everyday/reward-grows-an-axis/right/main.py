"""Roll out a runner under a fixed gait."""
import jax
import jax.numpy as jnp

from runner import Runner

env = Runner()


@jax.jit
def rollout(key):
    state = env.reset(key)

    def one_step(state, action):
        state = env.step(state, action)
        return state, state.reward

    actions = jnp.sin(jnp.arange(50)[:, None] * jnp.array([0.1, 0.2]))
    return jax.lax.scan(one_step, state, actions)


if __name__ == "__main__":
    last, rewards = rollout(jax.random.key(0))
    print(rewards.shape, last.obs.shape)
