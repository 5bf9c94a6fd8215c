import flax.linen as nn
import jax.numpy as jnp


def time_features(t, num_steps, width):
    phase = t[:, None] / num_steps * 2.0 ** jnp.arange(width // 2)
    return jnp.concatenate([jnp.sin(phase), jnp.cos(phase)], axis=-1)


class SmallNoiseNet(nn.Module):
    width: int
    num_steps: int

    @nn.compact
    def __call__(self, noisy, t):
        context = nn.Dense(self.width)(time_features(t, self.num_steps, 16))
        h = nn.Conv(self.width, (3, 3))(noisy)
        h = nn.silu(h + context[:, None, None, :])
        h = h + nn.silu(nn.Dense(self.width)(h))
        return nn.Dense(noisy.shape[-1])(h)
