import flax.linen as nn
import jax
import jax.numpy as jnp


class TinyLM(nn.Module):
    vocab: int
    dim: int = 16
    max_len: int = 24

    @nn.compact
    def __call__(self, tokens):
        length = tokens.shape[-1]
        table = self.param("positions", nn.initializers.normal(0.02), (self.max_len, self.dim))
        x = nn.Embed(self.vocab, self.dim)(tokens) + table[:length]
        h = nn.LayerNorm()(x)
        mask = nn.make_causal_mask(jnp.ones(length))
        x = x + nn.MultiHeadDotProductAttention(num_heads=2)(h, mask=mask)
        x = x + nn.Dense(self.dim)(nn.gelu(nn.Dense(2 * self.dim)(nn.LayerNorm()(x))))
        return nn.Dense(self.vocab)(x)


def make_next_token(model):
    @jax.jit
    def next_token(params, key, tokens):
        logits = model.apply({"params": params}, tokens)[-1]
        return jax.random.categorical(key, logits)

    return next_token
