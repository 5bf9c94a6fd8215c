import jax.numpy as jnp


def van_der_pol(t, y, mu):
    return jnp.array([y[1], mu * (1.0 - y[0] ** 2) * y[1] - y[0]])


def lotka_volterra(t, y, args):
    a, b, c, d = args
    return jnp.array([a * y[0] - b * y[0] * y[1], d * y[0] * y[1] - c * y[1]])
