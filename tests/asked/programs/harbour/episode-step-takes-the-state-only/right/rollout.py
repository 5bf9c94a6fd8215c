import jax
import jax.numpy as jnp


def collect(env, policy, params, key, num_steps):
    def env_step(state, _):
        noise_key, next_key = jax.random.split(state.key)
        observation = env.observe(state)
        action = policy(params, observation) + 0.1 * jax.random.normal(noise_key)
        state, reward = env.step(state._replace(key=next_key), action)
        return state, (observation, action, reward)

    _, trajectory = jax.lax.scan(env_step, env.reset(key), None, length=num_steps)
    return trajectory


def total_reward(trajectory):
    _, _, rewards = trajectory
    return jnp.sum(rewards, axis=-1)
