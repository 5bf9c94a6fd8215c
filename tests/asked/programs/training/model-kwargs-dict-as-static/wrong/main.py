"""Initialise and probe a small translation encoder."""
import functools

import jax
import jax.numpy as jnp
from flax import linen as nn
from flax.core import FrozenDict

from config import get_config


class EncoderLayer(nn.Module):
    num_heads: int
    mlp_dim: int

    @nn.compact
    def __call__(self, x, mask):
        y = nn.LayerNorm()(x)
        x = x + nn.SelfAttention(self.num_heads)(y, mask=mask)
        y = nn.gelu(nn.Dense(self.mlp_dim)(nn.LayerNorm()(x)))
        return x + nn.Dense(x.shape[-1])(y)


class Encoder(nn.Module):
    vocab_size: int
    emb_dim: int
    num_heads: int
    num_layers: int
    mlp_dim: int

    @nn.compact
    def __call__(self, tokens):
        mask = nn.make_attention_mask(tokens > 0, tokens > 0)
        x = nn.Embed(self.vocab_size, self.emb_dim)(tokens)
        for _ in range(self.num_layers):
            x = EncoderLayer(self.num_heads, self.mlp_dim)(x, mask)
        return nn.LayerNorm()(x)


@functools.partial(jax.jit, static_argnums=(1, 2))  # mistake
def create_params(key, input_shape, model_kwargs):
    model = Encoder(**model_kwargs)
    return model.init(key, jnp.ones(input_shape, jnp.int32))["params"]


def count(params):
    return sum(leaf.size for leaf in jax.tree.leaves(params))


def main():
    config = get_config(model__num_layers=1, batch__size=2)
    shape = (config["batch"]["size"], config["batch"]["length"])
    model_kwargs = config["model"]
    params = create_params(jax.random.PRNGKey(0), shape, model_kwargs)  # mistake
    print("parameters:", count(params))
    tokens = jnp.arange(shape[0] * shape[1]).reshape(shape) % config["model"]["vocab_size"]
    encoded = Encoder(**model_kwargs).apply({"params": params}, tokens)
    print("encoded", encoded.shape, encoded.dtype)


if __name__ == "__main__":
    main()
