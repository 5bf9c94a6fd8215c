"""A recurrent language model."""
import haiku as hk
import jax.numpy as jnp

VOCABULARY = 15


class RecurrentModel:
    def __init__(self, width):
        self.width = width

    def forward(self, tokens):
        core = hk.LSTM(self.width)
        x = hk.Embed(VOCABULARY, self.width)(tokens)
        hidden, _ = hk.dynamic_unroll(core, x, core.initial_state(None))
        return hk.Linear(VOCABULARY)(hidden)
