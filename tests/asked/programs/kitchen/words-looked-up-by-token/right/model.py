import jax
import jax.numpy as jnp
from flax import nnx


class BigramModel(nnx.Module):
    def __init__(self, vocab_size, dim, *, rngs: nnx.Rngs):
        self.embed = nnx.Embed(vocab_size, dim, rngs=rngs)
        self.hidden = nnx.Linear(dim, dim, rngs=rngs)
        self.head = nnx.Linear(dim, vocab_size, rngs=rngs)

    def __call__(self, tokens):
        return self.head(nnx.gelu(self.hidden(self.embed(tokens))))


@nnx.jit(static_argnames="length")
def generate(model, key, start, length):
    def step(token, step_key):
        token = jax.random.categorical(step_key, model(token))
        return token, token

    _, tokens = jax.lax.scan(step, jnp.asarray(start), jax.random.split(key, length))
    return tokens
