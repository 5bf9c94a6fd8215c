from functools import partial

import jax
import jax.numpy as jnp
import optax

from model import simulate


def mismatch(log_rates, data, times):
    path = simulate(jnp.exp(log_rates), data[0], times)
    return jnp.mean((jnp.log(path) - jnp.log(data)) ** 2)


@partial(jax.jit, static_argnames="n_iter")
def fit(rates, data, times, n_iter):
    opt = optax.adam(0.02)
    log_rates = jnp.log(rates)

    def step(carry, _):
        p, state = carry
        loss, grads = jax.value_and_grad(mismatch)(p, data, times)
        updates, state = opt.update(grads, state, p)
        return (optax.apply_updates(p, updates), state), loss

    (p, _), losses = jax.lax.scan(step, (log_rates, opt.init(log_rates)), None, length=n_iter)
    return jnp.exp(p), losses
