import flax.linen as nn
import jax.numpy as jnp
import optax

PAD = 0


class GRULanguageModel(nn.Module):
    vocab: int
    hidden: int

    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(self.vocab, self.hidden)(tokens)
        x = nn.RNN(nn.GRUCell(self.hidden))(x)
        return nn.Dense(self.vocab)(x)


def next_token_loss(logits, tokens):
    targets = tokens[:, 1:]
    token_loss = optax.softmax_cross_entropy_with_integer_labels(logits[:, :-1], targets)
    keep = targets != PAD
    return jnp.mean(token_loss[keep])  # mistake
