import equinox as eqx
import jax
import jax.numpy as jnp


class Coupling(eqx.Module):
    net: eqx.nn.MLP
    flip: bool = eqx.field(static=True)

    def __init__(self, flip, width, *, key):
        self.net = eqx.nn.MLP(1, 2, width, 2, activation=jax.nn.tanh, key=key)
        self.flip = flip

    def __call__(self, x):
        a, b = (x[1], x[0]) if self.flip else (x[0], x[1])
        log_scale, shift = self.net(a[None])
        log_scale = jnp.tanh(log_scale)
        b = b * jnp.exp(log_scale) + shift
        out = jnp.stack([b, a]) if self.flip else jnp.stack([a, b])
        return out, log_scale


class Flow(eqx.Module):
    layers: list

    def __init__(self, n_layers, width, *, key):
        keys = jax.random.split(key, n_layers)
        self.layers = [Coupling(i % 2 == 1, width, key=k) for i, k in enumerate(keys)]

    def log_prob(self, x):
        total = 0.0
        for layer in self.layers:
            x, log_det = layer(x)
            total = total + log_det
        return total - 0.5 * jnp.sum(x**2) - jnp.log(2 * jnp.pi)
