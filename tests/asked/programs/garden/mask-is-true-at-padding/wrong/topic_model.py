import jax.numpy as jnp
from flax import nnx

from documents import PAD


def attention_mask(tokens):
    padding = tokens == PAD
    return padding[:, None, None, :]  # mistake


class TopicTransformer(nnx.Module):
    def __init__(self, vocab, width, heads, topics, *, rngs: nnx.Rngs):
        self.embed = nnx.Embed(vocab, width, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(
            heads, in_features=width, decode=False, rngs=rngs
        )
        self.norm = nnx.LayerNorm(width, rngs=rngs)
        self.head = nnx.Linear(width, topics, rngs=rngs)

    def __call__(self, tokens):
        x = self.embed(tokens)
        x = x + self.attention(x, mask=attention_mask(tokens))  # mistake
        valid = (tokens != PAD)[..., None]
        x = jnp.where(valid, self.norm(x), 0.0).sum(1) / valid.sum(1)
        return self.head(x)
