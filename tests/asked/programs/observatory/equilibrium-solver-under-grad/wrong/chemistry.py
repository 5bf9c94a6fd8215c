import jax
import jax.numpy as jnp


def charge_balance(log_h, log_k, total):
    """Residual of a diprotic acid in water, logs in base e."""
    h, k1, k2 = jnp.exp(log_h), jnp.exp(log_k[0]), jnp.exp(log_k[1])
    denom = h**2 + k1 * h + k1 * k2
    charge = total * (k1 * h + 2 * k1 * k2) / denom
    return jnp.log(h) - jnp.log(charge + 1e-14 / h)


def solve_ph(log_k, total, tol=1e-5):
    slope = jax.grad(charge_balance)

    def newton(log_h):
        return log_h - charge_balance(log_h, log_k, total) / slope(log_h, log_k, total)

    def not_done(carry):
        log_h, previous = carry
        return jnp.abs(log_h - previous) > tol

    def step(carry):
        log_h, _ = carry
        return newton(log_h), log_h

    start = jnp.log(1e-5)
    log_h, _ = jax.lax.while_loop(not_done, step, (newton(start), start))  # mistake
    return -log_h / jnp.log(10.0)
