import jax
import jax.numpy as jnp

MAX_ITER = 20


def eccentric_anomaly(mean_anom, ecc, tol=1e-6):
    start = mean_anom + ecc * jnp.sin(mean_anom)

    def newton(E):
        return (E - ecc * jnp.sin(E) - mean_anom) / (1.0 - ecc * jnp.cos(E))

    def cond(state):
        _, delta, it = state
        return (jnp.abs(delta) > tol) & (it < MAX_ITER)

    def body(state):
        E, _, it = state
        delta = newton(E)
        return E - delta, delta, it + 1

    E, _, _ = jax.lax.while_loop(cond, body, (start, jnp.ones_like(start), 0))  # mistake
    return E


def true_anomaly(E, ecc):
    return 2.0 * jnp.arctan2(
        jnp.sqrt(1.0 + ecc) * jnp.sin(E / 2.0), jnp.sqrt(1.0 - ecc) * jnp.cos(E / 2.0)
    )


def radial_velocity(params, t):
    period = jnp.exp(params["log_period"])
    ecc = jax.nn.sigmoid(params["ecc_raw"])
    mean_anom = jnp.mod(2.0 * jnp.pi * t / period, 2.0 * jnp.pi)
    E = jax.vmap(eccentric_anomaly, in_axes=(0, None))(mean_anom, ecc)
    return params["amp"] * (jnp.cos(true_anomaly(E, ecc) + 0.4) + ecc * jnp.cos(0.4))
