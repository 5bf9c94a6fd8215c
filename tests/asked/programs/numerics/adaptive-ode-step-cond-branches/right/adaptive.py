import jax
import jax.numpy as jnp

RTOL, ATOL = 1e-4, 1e-6


def heun_euler(f, t, y, dt, args):
    k1 = f(t, y, args)
    k2 = f(t + dt, y + dt * k1, args)
    high = y + 0.5 * dt * (k1 + k2)
    return high, 0.5 * dt * (k2 - k1)


def error_ratio(err, y, y_new):
    scale = ATOL + RTOL * jnp.maximum(jnp.abs(y), jnp.abs(y_new))
    return jnp.sqrt(jnp.mean((err / scale) ** 2))


def integrate(f, y0, t_span, args):
    t0, t1 = t_span

    def cond(carry):
        t, _, _, _ = carry
        return t < t1 - 1e-5

    def body(carry):
        t, y, dt, n_accept = carry
        dt = jnp.minimum(dt, t1 - t)
        y_new, err = heun_euler(f, t, y, dt, args)
        ratio = error_ratio(err, y, y_new)
        dt_next = dt * jnp.clip(0.9 / jnp.sqrt(ratio + 1e-10), 0.2, 5.0)

        def accept(_):
            return t + dt, y_new, dt_next, n_accept + 1

        def reject(_):
            return t, y, dt_next, n_accept

        return jax.lax.cond(ratio <= 1.0, accept, reject, None)

    carry = (jnp.asarray(t0), y0, jnp.asarray(1e-2), jnp.asarray(0))
    _, y, _, n_accept = jax.lax.while_loop(cond, body, carry)
    return y, n_accept
