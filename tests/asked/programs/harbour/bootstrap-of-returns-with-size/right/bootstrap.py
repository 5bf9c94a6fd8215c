from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class BlockBootstrap:
    block: int = 10
    horizon: int = 60

    def path(self, key, returns):
        num_blocks = self.horizon // self.block
        last_start = returns.shape[0] - self.block + 1
        starts = jax.random.choice(key, last_start, shape=(num_blocks,))
        days = starts[:, None] + jnp.arange(self.block)
        return returns[days.reshape(-1)]

    def paths(self, key, returns, count):
        return jax.vmap(lambda k: self.path(k, returns))(jax.random.split(key, count))


def growth(paths, weights):
    return jnp.prod(1.0 + paths @ weights, axis=-1)


@partial(jax.jit, static_argnums=(0, 4))
def risk(bootstrap, key, returns, weights, count):
    final = growth(bootstrap.paths(key, returns, count), weights)
    ordered = jnp.sort(final)
    tail = max(1, count // 20)
    return {
        "mean": jnp.mean(final),
        "value_at_risk": 1.0 - ordered[tail],
        "expected_shortfall": 1.0 - jnp.mean(ordered[:tail]),
    }
