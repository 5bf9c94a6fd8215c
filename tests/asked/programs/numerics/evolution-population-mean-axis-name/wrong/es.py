from typing import NamedTuple

import jax
import jax.numpy as jnp


class ESConfig(NamedTuple):
    dim: int
    popsize: int
    generations: int
    lr: float
    sigma: float


class ESState(NamedTuple):
    mean: jax.Array
    sigma: jax.Array
    step: jax.Array


def init_state(key, cfg: ESConfig) -> ESState:
    mean = jax.random.uniform(key, (cfg.dim,), minval=-1.0, maxval=1.0)
    return ESState(mean, jnp.asarray(cfg.sigma), jnp.asarray(0))


def tell(state: ESState, grad, cfg: ESConfig) -> ESState:
    mean = state.mean - cfg.lr * cfg.sigma * grad
    return ESState(mean, state.sigma * 0.999, state.step + 1)
