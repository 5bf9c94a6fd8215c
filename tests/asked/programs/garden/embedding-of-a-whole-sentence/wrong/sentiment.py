import equinox as eqx
import jax
import jax.numpy as jnp


class SentimentCNN(eqx.Module):
    embedding: eqx.nn.Embedding
    conv: eqx.nn.Conv1d
    head: eqx.nn.Linear
    pad_id: int = eqx.field(static=True)

    def __init__(self, vocab_size: int, width: int, pad_id: int, *, key):
        k_embed, k_conv, k_head = jax.random.split(key, 3)
        self.embedding = eqx.nn.Embedding(vocab_size, width, key=k_embed)
        self.conv = eqx.nn.Conv1d(width, width, kernel_size=3, padding=1, key=k_conv)
        self.head = eqx.nn.Linear(width, "scalar", key=k_head)
        self.pad_id = pad_id

    def __call__(self, tokens):
        x = self.embedding(tokens)  # mistake
        x = jax.nn.relu(self.conv(x.T))
        x = jnp.where(tokens != self.pad_id, x, -jnp.inf)
        return self.head(x.max(axis=1))
