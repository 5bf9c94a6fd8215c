import equinox as eqx
import jax
import jax.numpy as jnp


class WindowDenoiser(eqx.Module):
    mlp: eqx.nn.MLP
    window: int = eqx.field(static=True)

    def __init__(self, window, width, key):
        self.window = window
        self.mlp = eqx.nn.MLP(window, 1, width, 2, activation=jnp.tanh, key=key)

    def __call__(self, signal):
        padded = jnp.pad(signal, self.window // 2, mode="edge")
        index = jnp.arange(signal.shape[0])[:, None] + jnp.arange(self.window)
        return signal + jax.vmap(self.mlp)(padded[index])[:, 0]
