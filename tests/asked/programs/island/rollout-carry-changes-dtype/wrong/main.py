import jax
import jax.numpy as jnp

from env import CartEnv, EnvParams
from rollout import evaluate_policy


def init_policy(key, obs_dim: int, hidden: int = 16) -> dict:
    k1, k2 = jax.random.split(key)
    return {
        "w1": jax.random.normal(k1, (obs_dim, hidden)) / jnp.sqrt(obs_dim),
        "b1": jnp.zeros(hidden),
        "w2": 0.1 * jax.random.normal(k2, (hidden,)),
    }


def policy(params, obs):
    h = jnp.tanh(obs @ params["w1"] + params["b1"])
    return jnp.tanh(h @ params["w2"])


if __name__ == "__main__":
    env = CartEnv(EnvParams(dt=0.05))
    policy_key, eval_key = jax.random.split(jax.random.key(0))
    params = init_policy(policy_key, env.obs_dim)
    returns, lengths = evaluate_policy(env, policy, params, eval_key, num_episodes=16, horizon=100)
    print("mean return", round(float(returns.mean()), 2))
    print("mean length", round(float(lengths.mean()), 1))
