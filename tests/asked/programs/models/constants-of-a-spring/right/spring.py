"""A damped spring whose constants are to be found."""
import equinox as eqx
import jax
import jax.numpy as jnp


class Spring(eqx.Module):
    stiffness: jax.Array
    damping: jax.Array
    offset: jax.Array

    def __call__(self, time):
        frequency = jnp.sqrt(self.stiffness)
        return self.offset + jnp.exp(-self.damping * time) * jnp.cos(frequency * time)


def guess():
    return Spring(stiffness=jnp.array(2.0), damping=jnp.array(0.3), offset=jnp.array(0.0))
