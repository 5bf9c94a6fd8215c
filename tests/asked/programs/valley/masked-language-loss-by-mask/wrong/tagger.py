import flax.linen as nn


class Tagger(nn.Module):
    vocab_size: int
    num_tags: int
    width: int = 24

    @nn.compact
    def __call__(self, tokens):
        x = nn.Embed(self.vocab_size, self.width)(tokens)
        x = nn.Conv(self.width, kernel_size=(3,))(x)
        x = nn.gelu(x)
        return nn.Dense(self.num_tags)(x)
