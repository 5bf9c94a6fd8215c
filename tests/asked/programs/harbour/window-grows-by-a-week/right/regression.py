from functools import partial

import jax
import jax.numpy as jnp
import optax


@partial(jax.jit, static_argnames="steps")
def fit(features, targets, weights, steps=100):
    optimizer = optax.adam(0.05)
    params = {"slope": jnp.zeros(features.shape[1]), "level": jnp.zeros(())}

    def loss_fn(params):
        error = features @ params["slope"] + params["level"] - targets
        return jnp.sum(weights * optax.losses.huber_loss(error)) / jnp.sum(weights)

    def iterate(carry, _):
        params, opt_state = carry
        loss, grads = jax.value_and_grad(loss_fn)(params)
        updates, opt_state = optimizer.update(grads, opt_state)
        return (optax.apply_updates(params, updates), opt_state), loss

    (params, _), losses = jax.lax.scan(iterate, (params, optimizer.init(params)), None, length=steps)
    return params, losses[-1]


@jax.jit
def forecast(params, feature_row):
    return feature_row @ params["slope"] + params["level"]
