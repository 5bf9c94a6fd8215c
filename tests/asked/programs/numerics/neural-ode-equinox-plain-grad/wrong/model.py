import equinox as eqx
import jax
import jax.numpy as jnp


class VectorField(eqx.Module):
    scale: jax.Array
    mlp: eqx.nn.MLP

    def __init__(self, data_size, width, depth, *, key):
        self.scale = jnp.ones(())
        self.mlp = eqx.nn.MLP(
            data_size, data_size, width, depth, activation=jax.nn.softplus, key=key
        )

    def __call__(self, t, y):
        return self.scale * jnp.tanh(self.mlp(y))


class NeuralODE(eqx.Module):
    func: VectorField

    def __init__(self, data_size, width, depth, *, key):
        self.func = VectorField(data_size, width, depth, key=key)

    def __call__(self, ts, y0):
        def rk4(y, t_pair):
            t, t_next = t_pair
            h = t_next - t
            k1 = self.func(t, y)
            k2 = self.func(t + h / 2, y + h / 2 * k1)
            k3 = self.func(t + h / 2, y + h / 2 * k2)
            k4 = self.func(t_next, y + h * k3)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            return y, y

        _, ys = jax.lax.scan(rk4, y0, (ts[:-1], ts[1:]))
        return jnp.concatenate([y0[None], ys])
