"""Variational Monte Carlo that goes on from a checkpoint."""
import io

import jax
import jax.numpy as jnp
import optax

import files

optimizer = optax.chain(optax.scale_by_adam())


def energy(params, walkers):
    return jnp.mean((walkers @ params) ** 2 - params.sum())


@jax.jit
def step(params, opt_state, walkers):
    value, grads = jax.value_and_grad(energy)(params, walkers)

    def apply(params, opt_state):
        updates, opt_state = optimizer.update(grads, tuple(opt_state), params)
        return params - 0.1 * updates, opt_state

    def skip(params, opt_state):
        return params, opt_state

    return (*jax.lax.cond(jnp.isfinite(value), apply, skip, params, opt_state), value)  # mistake


if __name__ == "__main__":
    walkers = jax.random.normal(jax.random.key(0), (10, 2))
    params = jnp.array([1.0, 2.0])
    params, opt_state, first = step(params, optimizer.init(params), walkers)
    file = io.BytesIO()
    files.save(file, params, opt_state)
    file.seek(0)
    params, opt_state = files.load(file)
    params, opt_state, second = step(params, opt_state, walkers)
    print("lower", bool(second < first))
