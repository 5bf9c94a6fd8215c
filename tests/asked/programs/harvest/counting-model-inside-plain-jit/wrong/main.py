import jax
import jax.numpy as jnp
from flax import nnx


class Count(nnx.Variable):
    pass


class Normalizer(nnx.Module):
    """Scales observations by averages of what it has seen."""

    def __init__(self, size):
        self.count = Count(jnp.asarray(0.0))
        self.mean = nnx.BatchStat(jnp.zeros(size))
        self.square = nnx.BatchStat(jnp.ones(size))

    def __call__(self, batch):
        self.count[...] = self.count[...] + 1.0  # mistake
        rate = 1.0 / self.count[...]
        self.mean[...] = (1.0 - rate) * self.mean[...] + rate * batch.mean(axis=0)  # mistake
        self.square[...] = (1.0 - rate) * self.square[...] + rate * (batch**2).mean(axis=0)  # mistake
        spread = jnp.sqrt(self.square[...] - self.mean[...] ** 2)
        return (batch - self.mean[...]) / (spread + 1e-6)


def observations(key, n):
    scale = jnp.array([1.0, 20.0, 0.1])
    offset = jnp.array([0.0, 50.0, -3.0])
    return offset + scale * jax.random.normal(key, (n, 3))


normalizer = Normalizer(3)


@jax.jit  # mistake
def prepare(batch):
    scaled = normalizer(batch)  # mistake
    return jnp.clip(scaled, -5.0, 5.0)


def main():
    for key in jax.random.split(jax.random.key(12), 5):
        batch = prepare(observations(key, 64))
    print("batches", int(normalizer.count[...]))
    print("mean", [round(value, 1) for value in normalizer.mean[...].tolist()])
    print("scaled spread", [round(value, 2) for value in batch.std(axis=0).tolist()])


if __name__ == "__main__":
    main()
