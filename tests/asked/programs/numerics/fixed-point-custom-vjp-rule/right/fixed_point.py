from functools import partial

import jax
import jax.numpy as jnp

MAX_STEPS = 200
TOL = 1e-6


def _iterate(f, x0):
    def cond(s):
        x, prev, n = s
        return (jnp.max(jnp.abs(x - prev)) > TOL) & (n < MAX_STEPS)

    def body(s):
        x, _, n = s
        return f(x), x, n + 1

    x, _, _ = jax.lax.while_loop(cond, body, (f(x0), x0, 0))
    return x


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def solve_fixed_point(g, theta, x0):
    return _iterate(lambda x: g(theta, x), x0)


def solve_fwd(g, theta, x0):
    x_star = solve_fixed_point(g, theta, x0)
    return x_star, (theta, x_star)


def solve_bwd(g, res, ct):
    theta, x_star = res
    _, vjp_x = jax.vjp(lambda x: g(theta, x), x_star)
    _, vjp_theta = jax.vjp(lambda t: g(t, x_star), theta)
    w = _iterate(lambda w: ct + vjp_x(w)[0], jnp.zeros_like(ct))
    return vjp_theta(w)[0], jnp.zeros_like(x_star)


solve_fixed_point.defvjp(solve_fwd, solve_bwd)
