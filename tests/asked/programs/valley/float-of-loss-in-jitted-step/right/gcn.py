import flax.linen as nn
import numpy as np


def normalised_adjacency(adj):
    adj = adj + np.eye(len(adj), dtype=adj.dtype)
    d = 1.0 / np.sqrt(adj.sum(-1))
    return adj * d[:, None] * d[None]


class GCN(nn.Module):
    hidden: int
    classes: int

    @nn.compact
    def __call__(self, graph):
        h = graph["adj"] @ nn.Dense(self.hidden)(graph["x"])
        h = nn.relu(h)
        return graph["adj"] @ nn.Dense(self.classes)(h)
