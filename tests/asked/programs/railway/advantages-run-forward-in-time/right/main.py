import jax
import jax.numpy as jnp
import numpy as np

from advantages import gae
from chain import ChainEnv, collect
from policy import init_policy, policy_gradient_step


def main():
    env = ChainEnv(length=6)
    key_init, key = jax.random.split(jax.random.key(1))
    params = init_policy(key_init, env.length)
    history = []
    for _ in range(60):
        key, key_rollout = jax.random.split(key)
        batch = collect(env, params, key_rollout, n_envs=32, n_steps=20)
        advantages = gae(batch["reward"], batch["value"], batch["done"], 0.97, 0.95)
        params = policy_gradient_step(params, batch, advantages, 0.5)
        history.append(float(batch["reward"].mean()))
    print("reward per step", round(history[0], 3), "->", round(np.mean(history[-5:]), 3))

    reward = jnp.zeros((5, 1)).at[-1].set(1.0)
    nothing = jnp.zeros((5, 1))
    print("advantages", gae(reward, nothing, nothing, 0.9, 1.0)[:, 0].round(3).tolist())


if __name__ == "__main__":
    main()
