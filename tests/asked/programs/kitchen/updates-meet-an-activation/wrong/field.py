import equinox as eqx
import jax
import jax.numpy as jnp


class VectorField(eqx.Module):
    mlp: eqx.nn.MLP
    scale: jax.Array

    def __init__(self, dim, width, *, key):
        self.mlp = eqx.nn.MLP(dim, dim, width, depth=2, activation=jax.nn.softplus, key=key)
        self.scale = jnp.ones(())

    def __call__(self, t, y):
        return self.scale * jnp.tanh(self.mlp(y))


def rk4(field, y0, ts):
    def step(y, window):
        t, dt = window
        k1 = field(t, y)
        k2 = field(t + dt / 2, y + dt / 2 * k1)
        k3 = field(t + dt / 2, y + dt / 2 * k2)
        k4 = field(t + dt, y + dt * k3)
        y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return y, y

    _, ys = jax.lax.scan(step, y0, (ts[:-1], jnp.diff(ts)))
    return jnp.concatenate([y0[None], ys])
