import flax.linen as nn
import jax.numpy as jnp


class PilotPolicy(nn.Module):
    action_dim: int
    hidden: int = 64

    @nn.compact
    def __call__(self, observation):
        h = nn.tanh(nn.Dense(self.hidden)(observation))
        h = nn.tanh(nn.Dense(self.hidden)(h))
        mean = nn.Dense(self.action_dim)(h)
        log_std = self.param("log_std", nn.initializers.constant(-1.0), (self.action_dim,))
        return mean, log_std


def log_likelihood(mean, log_std, action):
    scaled = (action - mean) * jnp.exp(-log_std)
    return jnp.sum(-0.5 * scaled**2 - log_std - 0.5 * jnp.log(2 * jnp.pi), axis=-1)
