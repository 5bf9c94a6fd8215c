"""A residual network for sequences of measurements."""
import flax.linen as nn
import jax


class Block(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x):
        hidden = nn.gelu(nn.Dense(2 * self.features)(nn.LayerNorm()(x)))
        return x + nn.Dense(self.features)(hidden)


class Residual(nn.Module):
    features: int
    depth: int

    @nn.compact
    def __call__(self, x):
        x = nn.Dense(self.features, name="embed")(x)
        for number in range(self.depth):
            x = Block(self.features, name="block")(x)  # mistake
        return nn.Dense(1, name="head")(x)[..., 0]


def count(params):
    return sum(leaf.size for leaf in jax.tree.leaves(params))


if __name__ == "__main__":
    x = jax.random.normal(jax.random.key(0), (4, 6))
    model = Residual(features=8, depth=3)
    params = model.init(jax.random.key(1), x)["params"]
    print("modules", sorted(params))
    print("parameters", count(params))
    print("outputs", model.apply({"params": params}, x).shape)
