import flax.linen as nn


class KeywordSpotter(nn.Module):
    num_keywords: int
    hidden: int = 32
    dropout: float = 0.1

    def setup(self):
        self.frontend = nn.Dense(self.hidden)
        self.norm = nn.LayerNorm()
        self.rnn = nn.RNN(nn.GRUCell())  # mistake
        self.drop = nn.Dropout(self.dropout)
        self.head = nn.Dense(self.num_keywords)

    def __call__(self, frames, train: bool):
        h = nn.relu(self.norm(self.frontend(frames)))
        h = self.rnn(h)
        h = self.drop(h.mean(axis=1), deterministic=not train)
        return self.head(h)
