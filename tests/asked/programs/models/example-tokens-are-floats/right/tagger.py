"""A tagger of words."""
import flax.linen as nn


class Tagger(nn.Module):
    words: int
    tags: int
    features: int = 8

    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(self.words, self.features)(tokens)
        x = nn.RNN(nn.GRUCell(self.features))(x)
        return nn.Dense(self.tags)(x)
