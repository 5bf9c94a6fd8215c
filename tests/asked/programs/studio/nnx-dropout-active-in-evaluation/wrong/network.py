from flax import nnx


class DrugResponse(nnx.Module):
    def __init__(self, genes: int, hidden: int, rate: float, *, rngs: nnx.Rngs):
        self.inp = nnx.Linear(genes, hidden, rngs=rngs)
        self.norm = nnx.LayerNorm(hidden, rngs=rngs)
        self.drop = nnx.Dropout(rate, rngs=rngs)
        self.mid = nnx.Linear(hidden, hidden, rngs=rngs)
        self.out = nnx.Linear(hidden, 1, rngs=rngs)

    def __call__(self, x):
        h = self.drop(nnx.gelu(self.norm(self.inp(x))))
        h = h + self.drop(nnx.gelu(self.mid(h)))
        return self.out(h)[:, 0]
