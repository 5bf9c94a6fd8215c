import jax
import jax.numpy as jnp

from env import EnvParams, PointMass
from policy import LinearPolicy


def rollout(env, policy_params, key, num_steps):
    reset_key, scan_key = jax.random.split(key)
    state = env.reset(reset_key)

    def body(state, step_key):
        act_key, env_key = jax.random.split(step_key)
        action = LinearPolicy.sample(policy_params, env.observe(state), act_key)
        state, reward, done = env.step(state, action, env_key)
        return state, (reward, done)

    step_keys = jax.random.split(scan_key, num_steps)
    _, (rewards, dones) = jax.lax.scan(body, state, step_keys)
    return rewards, dones


def main():
    env = PointMass(EnvParams(max_steps=40))
    params = LinearPolicy.init(obs_dim=4, act_dim=2)
    keys = jax.random.split(jax.random.PRNGKey(3), 8)
    batched = jax.jit(jax.vmap(lambda k: rollout(env, params, k, 200)))
    rewards, dones = batched(keys)
    print("reward per step", jnp.round(rewards.mean(), 3))
    print("episodes per env", dones.sum(axis=1))


if __name__ == "__main__":
    main()
