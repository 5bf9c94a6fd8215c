import jax
import jax.numpy as jnp


def init_net(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [
        (jax.random.normal(k, (m, n)) / jnp.sqrt(m), jnp.zeros(n))
        for k, m, n in zip(keys, sizes[:-1], sizes[1:])
    ]


def u(params, t, x):
    h = jnp.stack([t, x])
    for w, b in params[:-1]:
        h = jnp.tanh(h @ w + b)
    w, b = params[-1]
    return (h @ w + b)[0]


def burgers_residual(params, t, x, nu=0.01 / jnp.pi):
    u_t = jax.grad(u, argnums=1)(params, t, x)
    u_x = jax.grad(u, argnums=2)(params, t, x)
    u_xx = jax.grad(jax.grad(u, argnums=2), argnums=2)(params, t, x)
    return u_t + u(params, t, x) * u_x - nu * u_xx
