import jax
import jax.numpy as jnp

from net import forward


@jax.jit
def count_hits(params, x, y):
    return jnp.sum(forward(params, x).argmax(-1) == y)


class Evaluator:
    def __init__(self, split, chunk: int):
        self.x, self.y = split
        self.chunk = chunk

    def __call__(self, params) -> float:
        hits = [
            count_hits(params, self.x[i : i + self.chunk], self.y[i : i + self.chunk])
            for i in range(0, len(self.x), self.chunk)
        ]
        return float(sum(hits)) / len(self.x)
