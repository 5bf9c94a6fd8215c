import flax.linen as nn
import jax.numpy as jnp


class ReviewClassifier(nn.Module):
    vocab_size: int
    dim: int = 16

    @nn.compact
    def __call__(self, tokens, mask):
        h = nn.Embed(self.vocab_size, self.dim)(tokens)
        h = jnp.sum(h * mask[..., None], axis=1) / jnp.sum(mask, axis=1, keepdims=True)
        h = nn.relu(nn.Dense(self.dim)(h))
        return nn.Dense(1)(h)[:, 0]
