import equinox as eqx
import jax
import jax.numpy as jnp


class NeuralODE(eqx.Module):
    field: eqx.nn.MLP

    def __init__(self, hidden, key):
        self.field = eqx.nn.MLP(2, 2, hidden, depth=1, activation=jnp.tanh, key=key)

    def __call__(self, y0, times):
        def step(y, dt):
            k1 = self.field(y)
            k2 = self.field(y + 0.5 * dt * k1)
            y = y + dt * k2
            return y, y

        _, path = jax.lax.scan(step, y0, jnp.diff(times))
        return jnp.concatenate([y0[None], path])
