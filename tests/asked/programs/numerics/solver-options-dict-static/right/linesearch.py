from typing import NamedTuple

import jax
import jax.numpy as jnp


class SolverOptions(NamedTuple):
    max_iter: int = 100
    init_step: float = 4.0
    shrink: float = 0.5
    armijo: float = 1e-4


def backtrack(objective, w, value, grad, options):
    g2 = jnp.sum(grad**2)

    def too_long(step):
        return objective(w - step * grad) > value - options.armijo * step * g2

    return jax.lax.while_loop(
        too_long, lambda s: s * options.shrink, jnp.asarray(options.init_step)
    )
