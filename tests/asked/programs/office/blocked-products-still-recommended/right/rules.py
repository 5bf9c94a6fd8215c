from dataclasses import dataclass, field

import jax.numpy as jnp


@dataclass
class BusinessRules:
    out_of_stock: list[int] = field(default_factory=list)
    boosted: dict[int, float] = field(default_factory=dict)

    def apply(self, scores):
        if self.out_of_stock:
            scores = scores.at[:, jnp.array(self.out_of_stock)].set(-jnp.inf)
        for product, boost in self.boosted.items():
            scores = scores.at[:, product].add(boost)
        return scores
