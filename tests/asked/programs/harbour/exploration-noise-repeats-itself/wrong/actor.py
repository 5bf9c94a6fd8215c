import flax.linen as nn
import jax.numpy as jnp


class Actor(nn.Module):
    action_dim: int

    @nn.compact
    def __call__(self, observation):
        h = nn.relu(nn.Dense(32)(observation))
        return nn.tanh(nn.Dense(self.action_dim)(h))


def mix(action, noise, low=-1.0, high=1.0):
    return jnp.clip(action + noise, low, high)
