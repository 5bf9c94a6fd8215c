import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from policy import SoftmaxPolicy

FORCES = jnp.array([-1.0, 0.0, 1.0])


def env_step(obs, action):
    pos, vel = obs
    vel = 0.95 * vel + 0.1 * FORCES[action] - 0.05 * jnp.cos(3.0 * pos)
    pos = jnp.clip(pos + 0.1 * vel, -1.2, 0.6)
    return jnp.stack([pos, vel]), -jnp.abs(pos - 0.5)


def rollout(policy, params, key, length):
    def body(carry, _):
        obs, key = carry
        key, sub = jax.random.split(key)
        action = policy.act(params, obs, sub)
        obs, reward = env_step(obs, action)
        return (obs, key), (action, reward)

    carry = (jnp.array([-0.5, 0.0]), key)
    _, (actions, rewards) = lax.scan(body, carry, None, length=length)
    return actions, rewards


def main():
    policy = SoftmaxPolicy(num_actions=3, temperature=0.5)
    params = policy.init(seed=0)
    order = np.random.default_rng(1).permutation(3)
    for episode in order:
        key = jax.random.fold_in(jax.random.key(2), int(episode))
        actions, rewards = rollout(policy, params, key, 15)
        counts = np.bincount(np.asarray(actions), minlength=3)
        print(f"episode {episode}: return {rewards.sum():.3f} counts {counts.tolist()}")


if __name__ == "__main__":
    main()
