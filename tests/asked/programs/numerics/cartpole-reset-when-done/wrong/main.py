from functools import partial

import jax
import jax.numpy as jnp

from envs import CartPole, EnvParams
from policy import init_policy, sample_action


@partial(jax.jit, static_argnames=("num_steps",))
def rollout(env_params, policy_params, states, key, num_steps: int):
    env = CartPole(env_params)

    def body(carry, step_key):
        states, returns = carry
        act_key, reset_key = jax.random.split(step_key)
        actions = jax.vmap(sample_action, in_axes=(None, 0, 0))(
            policy_params, states, jax.random.split(act_key, states.shape[0])
        )
        states, rewards, dones = jax.vmap(env.step)(
            jax.random.split(reset_key, states.shape[0]), states, actions
        )
        return (states, returns + rewards), dones

    init = (states, jnp.zeros(states.shape[0]))
    (states, returns), dones = jax.lax.scan(body, init, jax.random.split(key, num_steps))
    return states, returns, dones


def main():
    n_envs = 16
    params = EnvParams()
    env = CartPole(params)
    k_init, k_policy, k_roll = jax.random.split(jax.random.key(0), 3)
    states = jax.vmap(env.reset)(jax.random.split(k_init, n_envs))
    policy_params = init_policy(k_policy)
    states, returns, dones = rollout(params, policy_params, states, k_roll, num_steps=100)
    print("steps survived:", returns.mean())
    print("episodes finished:", int(dones.sum()))


if __name__ == "__main__":
    main()
