import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class ReplayBuffer:
    obs: jax.Array
    action: jax.Array
    reward: jax.Array
    cursor: jax.Array
    size: jax.Array

    @classmethod
    def create(cls, capacity, obs_dim):
        return cls(
            obs=jnp.zeros((capacity, obs_dim)),
            action=jnp.zeros((capacity,), jnp.int32),
            reward=jnp.zeros((capacity,)),
            cursor=jnp.zeros((), jnp.int32),
            size=jnp.zeros((), jnp.int32),
        )

    def add(self, obs, action, reward):
        i = self.cursor
        capacity = self.obs.shape[0]
        return self.replace(
            obs=self.obs.at[i].set(obs),
            action=self.action.at[i].set(action),
            reward=self.reward.at[i].set(reward),
            cursor=(i + 1) % capacity,
            size=jnp.minimum(self.size + 1, capacity),
        )

    def sample(self, key, batch_size):
        idx = jax.random.randint(key, (batch_size,), 0, self.size)
        return self.obs[idx], self.action[idx], self.reward[idx]
