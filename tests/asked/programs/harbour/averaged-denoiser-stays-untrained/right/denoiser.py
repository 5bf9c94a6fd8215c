import flax.linen as nn
import jax
import jax.numpy as jnp

NUM_LEVELS = 40


def alpha_bar(level):
    return jnp.cos(0.5 * jnp.pi * 0.98 * (level + 1) / NUM_LEVELS) ** 2


class PointDenoiser(nn.Module):
    width: int = 64

    @nn.compact
    def __call__(self, x, level):
        angle = level[:, None] / NUM_LEVELS * jnp.array([1.0, 3.0, 9.0])
        h = jnp.concatenate([x, jnp.sin(angle), jnp.cos(angle)], axis=-1)
        h = nn.silu(nn.Dense(self.width)(h))
        h = nn.silu(nn.Dense(self.width)(h))
        return nn.Dense(x.shape[-1])(h)


def noise_loss(apply, params, points, key):
    level_key, noise_key = jax.random.split(key)
    level = jax.random.randint(level_key, points.shape[:1], 0, NUM_LEVELS)
    noise = jax.random.normal(noise_key, points.shape)
    kept = alpha_bar(level)[:, None]
    noisy = jnp.sqrt(kept) * points + jnp.sqrt(1.0 - kept) * noise
    return jnp.mean((apply(params, noisy, level) - noise) ** 2)
