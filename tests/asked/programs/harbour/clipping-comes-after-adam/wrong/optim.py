from dataclasses import dataclass

import jax
import jax.numpy as jnp
import optax


@dataclass(frozen=True)
class OptimConfig:
    peak: float = 3e-3
    warmup: int = 10
    total: int = 120
    max_norm: float = 1.0


def make_optimizer(config: OptimConfig) -> optax.GradientTransformation:
    schedule = optax.warmup_cosine_decay_schedule(0.0, config.peak, config.warmup, config.total)
    return optax.chain(  # mistake
        optax.adam(schedule),
        optax.clip_by_global_norm(config.max_norm),  # mistake
    )


@jax.jit
def largest_second_moment(opt_state):
    moments = optax.tree_utils.tree_get(opt_state, "nu")
    return jnp.max(jnp.stack([jnp.max(leaf) for leaf in jax.tree.leaves(moments)]))
