import haiku as hk
import jax
import jax.numpy as jnp


class ResidualMLP(hk.Module):
    def __init__(self, width, depth, name=None):
        super().__init__(name=name)
        self.width = width
        self.depth = depth

    def __call__(self, x):
        h = hk.Linear(self.width)(x)
        for _ in range(self.depth):
            norm = hk.LayerNorm(axis=-1, create_scale=True, create_offset=True)
            h = h + hk.Linear(self.width)(jax.nn.relu(norm(h)))
        return hk.Linear(1)(jax.nn.relu(h))[..., 0]


def make_network(width, depth):
    def forward(x, mean, std):
        return ResidualMLP(width, depth)((x - mean) / jnp.maximum(std, 1e-3))

    return hk.without_apply_rng(hk.transform(forward))
