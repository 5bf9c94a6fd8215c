"""Layers with random numbers."""
import haiku as hk
import jax
import jax.numpy as jnp


class ShiftedPositions(hk.Module):
    def __init__(self, max_shift, name=None):
        super().__init__(name=name)
        self.max_shift = max_shift

    def __call__(self, x):
        length, width = x.shape[-2:]
        table = hk.get_parameter("table", [length + self.max_shift, width], init=hk.initializers.TruncatedNormal(0.02))
        shift = jax.random.randint(hk.next_rng_key(), (), 0, self.max_shift)
        return x + jax.lax.dynamic_slice_in_dim(table, shift, length)
