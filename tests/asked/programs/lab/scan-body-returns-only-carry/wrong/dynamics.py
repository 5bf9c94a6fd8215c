import jax.numpy as jnp

G = 9.81


def double_pendulum(state, l1=1.0, l2=0.8, m1=1.0, m2=0.7):
    a, b, wa, wb = state
    d = a - b
    den = 2 * m1 + m2 - m2 * jnp.cos(2 * d)
    acc_a = (
        -G * (2 * m1 + m2) * jnp.sin(a)
        - m2 * G * jnp.sin(a - 2 * b)
        - 2 * jnp.sin(d) * m2 * (wb**2 * l2 + wa**2 * l1 * jnp.cos(d))
    ) / (l1 * den)
    acc_b = (
        2 * jnp.sin(d)
        * (wa**2 * l1 * (m1 + m2) + G * (m1 + m2) * jnp.cos(a) + wb**2 * l2 * m2 * jnp.cos(d))
    ) / (l2 * den)
    return jnp.stack([wa, wb, acc_a, acc_b])


def rk4(f, y, dt):
    k1 = f(y)
    k2 = f(y + 0.5 * dt * k1)
    k3 = f(y + 0.5 * dt * k2)
    k4 = f(y + dt * k3)
    return y + dt * (k1 + 2 * k2 + 2 * k3 + k4) / 6.0
