import jax
import jax.numpy as jnp
import numpy as np


class DoublePendulum:
    def __init__(self, m=(1.0, 1.0), l=(1.0, 0.7), g=9.81):
        self.m1, self.m2 = m
        self.l1, self.l2 = l
        self.g = g

    def rhs(self, state):
        a1, a2, w1, w2 = state
        d = a1 - a2
        m1, m2, l1, l2, g = self.m1, self.m2, self.l1, self.l2, self.g
        den = 2 * m1 + m2 - m2 * jnp.cos(2 * d)
        acc1 = (-g * (2 * m1 + m2) * jnp.sin(a1) - m2 * g * jnp.sin(a1 - 2 * a2)
                - 2 * jnp.sin(d) * m2 * (w2**2 * l2 + w1**2 * l1 * jnp.cos(d))) / (l1 * den)
        acc2 = (2 * jnp.sin(d) * (w1**2 * l1 * (m1 + m2) + g * (m1 + m2) * jnp.cos(a1)
                                  + w2**2 * l2 * m2 * jnp.cos(d))) / (l2 * den)
        return jnp.stack([w1, w2, acc1, acc2])

    def rk4(self, state, dt):
        k1 = self.rhs(state)
        k2 = self.rhs(state + 0.5 * dt * k1)
        k3 = self.rhs(state + 0.5 * dt * k2)
        k4 = self.rhs(state + dt * k3)
        return state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def simulate(system, start, dt, n_steps):
    out = np.empty((n_steps, 4))
    state = start
    for i in range(n_steps):
        state = system.rk4(state, dt)
        out[i] = state  # mistake
    return out


def divergence(system, start, dt=0.01, n_steps=40, eps=1e-3):
    nearby = start.at[0].add(eps)
    paths = jax.vmap(lambda s: simulate(system, s, dt, n_steps))(jnp.stack([start, nearby]))
    return jnp.linalg.norm(paths[0] - paths[1], axis=-1)


def main():
    pendulum = DoublePendulum()
    run = jax.jit(lambda s: divergence(pendulum, s))
    for angle in (0.3, 1.5, 3.0):
        distance = run(jnp.array([angle, angle, 0.0, 0.0]))
        print(f"angle {angle}: distance after {distance.size} steps {distance[-1]:.2e}")


main()
