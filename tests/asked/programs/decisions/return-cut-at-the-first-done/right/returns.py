"""Returns of episodes."""
import jax
import jax.numpy as jnp


def episode_return(rewards, dones, discount=0.97):
    before = jnp.cumsum(dones) - dones == 0
    rewards = jnp.where(before, rewards, 0.0)

    def back(total, reward):
        total = reward + discount * total
        return total, total

    return jax.lax.scan(back, jnp.zeros(()), rewards, reverse=True)[0]
