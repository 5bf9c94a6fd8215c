from functools import partial

import jax
import jax.numpy as jnp
import optax


def signal_subspace(data, rank):
    u, s, vt = jnp.linalg.svd(data, full_matrices=False)
    return u[:, :rank]


def subspace_loss(log_gains, observed, mixing):
    corrected = observed / jnp.exp(log_gains)[:, None]
    basis = signal_subspace(corrected, mixing.shape[1])
    residual = mixing - basis @ (basis.T @ mixing)
    return jnp.sum(residual**2) / jnp.sum(mixing**2)


@partial(jax.jit, static_argnames="n_steps")
def calibrate(observed, mixing, n_steps):
    optimizer = optax.adam(0.02)
    log_gains = jnp.zeros(observed.shape[0])

    def step(carry, _):
        log_gains, state = carry
        loss, grads = jax.value_and_grad(subspace_loss)(log_gains, observed, mixing)
        updates, state = optimizer.update(grads, state)
        return (optax.apply_updates(log_gains, updates), state), loss

    (log_gains, _), losses = jax.lax.scan(
        step, (log_gains, optimizer.init(log_gains)), None, length=n_steps
    )
    return jnp.exp(log_gains), losses
