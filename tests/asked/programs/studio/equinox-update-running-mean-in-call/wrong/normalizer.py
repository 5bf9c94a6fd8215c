import equinox as eqx
import jax
import jax.numpy as jnp


class ObsNormalizer(eqx.Module):
    running_mean: jax.Array
    running_var: jax.Array
    momentum: float = eqx.field(static=True)

    def __init__(self, dim, momentum=0.95):
        self.running_mean = jnp.zeros(dim)
        self.running_var = jnp.ones(dim)
        self.momentum = momentum

    def update(self, batch):
        m = self.momentum
        mean = m * self.running_mean + (1 - m) * batch.mean(axis=0)
        var = m * self.running_var + (1 - m) * batch.var(axis=0)
        self.running_mean = mean  # mistake
        self.running_var = var
        return self

    def __call__(self, obs):
        return (obs - self.running_mean) / jnp.sqrt(self.running_var + 1e-6)
