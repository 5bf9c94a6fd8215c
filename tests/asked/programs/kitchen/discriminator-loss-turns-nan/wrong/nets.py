import equinox as eqx
import jax


class Generator(eqx.Module):
    mlp: eqx.nn.MLP
    latent: int = eqx.field(static=True)

    def __init__(self, latent, dim, *, key):
        self.latent = latent
        self.mlp = eqx.nn.MLP(latent, dim, 32, 2, activation=jax.nn.relu, key=key)

    def __call__(self, z):
        return self.mlp(z)


class Discriminator(eqx.Module):
    mlp: eqx.nn.MLP

    def __init__(self, dim, *, key):
        self.mlp = eqx.nn.MLP(dim, "scalar", 64, 2, activation=jax.nn.relu, key=key)

    def __call__(self, x):
        return self.mlp(x)
