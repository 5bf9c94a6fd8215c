import jax
import jax.numpy as jnp


def charge_balance(log_h, log_k, total):
    """Residual of a diprotic acid in water, logs in base e."""
    h, k1, k2 = jnp.exp(log_h), jnp.exp(log_k[0]), jnp.exp(log_k[1])
    denom = h**2 + k1 * h + k1 * k2
    charge = total * (k1 * h + 2 * k1 * k2) / denom
    return jnp.log(h) - jnp.log(charge + 1e-14 / h)


def solve_ph(log_k, total, iterations=12):
    slope = jax.grad(charge_balance)

    def newton(log_h):
        return log_h - charge_balance(log_h, log_k, total) / slope(log_h, log_k, total)

    def step(log_h, _):
        return newton(log_h), None

    log_h, _ = jax.lax.scan(step, jnp.log(1e-5), None, length=iterations)
    return -log_h / jnp.log(10.0)
