"""The critic of image patches."""
import equinox as eqx
import jax


class PatchScorer(eqx.Module):
    body: eqx.nn.MLP
    scale: jax.Array

    def __init__(self, patch, key):
        self.body = eqx.nn.MLP(patch * patch, "scalar", 8, 1, key=key)
        self.scale = jax.numpy.ones(())

    def __call__(self, patch):
        return self.scale * self.body(patch.reshape(-1))
