"""Returns of episodes."""
import jax
import jax.numpy as jnp


def episode_return(rewards, dones, discount=0.97):
    end = int(jnp.argmax(dones)) + 1  # mistake
    rewards = rewards[:end]

    def back(total, reward):
        total = reward + discount * total
        return total, total

    return jax.lax.scan(back, jnp.zeros(()), rewards, reverse=True)[0]
