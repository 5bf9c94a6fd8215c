from functools import partial

import jax
import optax

from gp import negative_log_evidence


@partial(jax.jit, static_argnames="n_steps")
def fit_hyperparameters(params, x, y, n_steps):
    optimizer = optax.adam(5e-2)

    def step(carry, _):
        params, opt_state = carry
        loss, grads = jax.value_and_grad(negative_log_evidence)(params, x, y)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return (optax.apply_updates(params, updates), opt_state), loss

    start = (params, optimizer.init(params))
    (params, _), losses = jax.lax.scan(step, start, None, length=n_steps)
    return params, losses
