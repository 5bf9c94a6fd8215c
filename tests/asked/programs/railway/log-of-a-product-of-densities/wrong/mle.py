from functools import partial

import jax
import optax

from mixture import log_likelihood


@partial(jax.jit, static_argnames="n_steps")
def fit(mixture, x, n_steps):
    optimizer = optax.adam(0.05)

    def step(carry, _):
        mixture, state = carry
        grads = jax.grad(lambda m: -log_likelihood(m, x))(mixture)
        updates, state = optimizer.update(grads, state)
        return (optax.apply_updates(mixture, updates), state), None

    (mixture, _), _ = jax.lax.scan(step, (mixture, optimizer.init(mixture)), None, length=n_steps)
    return mixture
