import jax
import jax.numpy as jnp


def heun_pair(f, y, t, dt):
    k1 = f(y, t)
    low = y + dt * k1
    k2 = f(low, t + dt)
    high = y + 0.5 * dt * (k1 + k2)
    return high, jnp.max(jnp.abs(jax.lax.stop_gradient(high - low)))


def adaptive_solve(f, y0, t1, dt0=0.05, tol=2e-3, max_steps=120):
    def attempt(carry):
        y, t, dt, n = carry
        dt = jnp.minimum(dt, t1 - t)
        y_new, err = heun_pair(f, y, t, dt)
        ok = err < tol
        factor = jnp.clip(0.9 * jnp.sqrt(tol / (err + 1e-9)), 0.3, 2.0)
        y = jnp.where(ok, y_new, y)
        t = jnp.where(ok, t + dt, t)
        return y, t, jnp.maximum(dt * factor, 1e-4), n + 1

    def running(carry):
        _, t, _, n = carry
        return (t < t1 - 1e-6) & (n < max_steps)

    init = (y0, jnp.zeros(()), jnp.asarray(dt0), jnp.zeros((), jnp.int32))
    y, _, _, n = jax.lax.while_loop(running, attempt, init)  # mistake
    return y, n
