import equinox as eqx
import jax
import jax.numpy as jnp


class VectorField(eqx.Module):
    net: eqx.nn.MLP

    def __init__(self, dim, width, *, key):
        self.net = eqx.nn.MLP(dim, dim, width, depth=2, activation=jax.nn.tanh, key=key)

    def __call__(self, y):
        return self.net(y)


def integrate(field, y0, dt, steps):
    def euler(y, _):
        y = y + dt * field(y)
        return y, y

    _, ys = jax.lax.scan(euler, y0, None, length=steps)
    return jnp.concatenate([y0[None], ys])
