"""Collect transitions of a random walk in a chex dataclass."""
import chex
import jax
import jax.numpy as jnp


@chex.dataclass
class Transition:
    observation: chex.Array
    action: chex.Array
    reward: chex.Array


def step(position, key):
    action = jax.random.choice(key, jnp.array([-1, 1]))
    following = jnp.clip(position + action, 0, 6)
    reward = (following == 6).astype(jnp.float32)
    return following, Transition(position, action, reward)  # mistake


@jax.jit
def collect(key):
    keys = jax.random.split(key, 30)
    return jax.lax.scan(step, jnp.array(3), keys)


def discounted(rewards, gamma=0.95):
    def add(total, reward):
        total = reward + gamma * total
        return total, total

    return jax.lax.scan(add, jnp.array(0.0), rewards, reverse=True)[1]


if __name__ == "__main__":
    _, transitions = collect(jax.random.key(0))
    chex.assert_shape(transitions.observation, (30,))
    returns = discounted(transitions.reward)
    print("transitions", len(jax.tree.leaves(transitions)), returns.shape)
