from dataclasses import dataclass, field

import jax.numpy as jnp


@dataclass
class Monitor:
    losses: list = field(default_factory=list)
    grad_norms: list = field(default_factory=list)

    def mean_loss(self):
        return jnp.mean(jnp.stack(self.losses))

    def max_norm(self):
        return jnp.max(jnp.stack(self.grad_norms))
