import haiku as hk
import jax
import jax.numpy as jnp


class Equaliser(hk.Module):
    def __init__(self, taps, hidden, name=None):
        super().__init__(name=name)
        self.taps = taps
        self.hidden = hidden

    def __call__(self, received):
        x = received[..., None]
        linear = hk.Conv1D(1, self.taps, name="linear")(x)
        curved = hk.Conv1D(self.hidden, self.taps, name="lift")(x)
        curved = hk.Conv1D(1, 1, name="drop")(jax.nn.tanh(curved))
        return (linear + curved)[..., 0]


equaliser = hk.without_apply_rng(hk.transform(lambda received: Equaliser(7, 8)(received)))


def symbol_error_rate(estimate, symbols):
    return jnp.mean(jnp.sign(estimate) != symbols)
