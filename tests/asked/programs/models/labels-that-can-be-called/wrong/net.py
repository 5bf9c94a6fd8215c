"""A network with a backbone and a head that learn at different rates."""
import equinox as eqx
import jax
import jax.numpy as jnp


class Net(eqx.Module):
    backbone: eqx.nn.Linear
    head: eqx.nn.Linear

    def __init__(self, key):
        key_backbone, key_head = jax.random.split(key)
        self.backbone = eqx.nn.Linear(4, 8, key=key_backbone)
        self.head = eqx.nn.Linear(8, 1, key=key_head)

    def __call__(self, x):
        return self.head(jnp.tanh(self.backbone(x)))[0]
