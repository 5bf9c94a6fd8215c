"""A transformer-like stack that trades memory for time."""
import flax.linen as nn
import jax
import jax.numpy as jnp


class Block(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x, train):
        y = nn.gelu(nn.Dense(2 * self.width)(nn.LayerNorm()(x)))
        if train:  # mistake
            y = nn.Dropout(0.1, deterministic=False)(y)
        return x + nn.Dense(self.width)(y)


class Stack(nn.Module):
    width: int = 16
    depth: int = 3

    @nn.compact
    def __call__(self, x, train=False):
        block = nn.remat(Block)  # mistake
        for _ in range(self.depth):
            x = block(self.width)(x, train)  # mistake
        return nn.Dense(1)(x)


def main():
    model = Stack()
    x = jnp.ones((2, 5, 16))
    variables = model.init(jax.random.key(0), x)
    y = model.apply(variables, x, train=True, rngs={"dropout": jax.random.key(1)})
    print(y.shape)


if __name__ == "__main__":
    main()
