import jax
import jax.numpy as jnp

from net import forward


class Evaluator:
    def __init__(self, split, chunk: int):
        self.x, self.y = split
        self.chunk = chunk

    def __call__(self, params) -> float:
        count_hits = jax.jit(  # mistake
            lambda p, x, y: jnp.sum(forward(p, x).argmax(-1) == y)
        )
        hits = [
            count_hits(params, self.x[i : i + self.chunk], self.y[i : i + self.chunk])
            for i in range(0, len(self.x), self.chunk)
        ]
        return float(sum(hits)) / len(self.x)
