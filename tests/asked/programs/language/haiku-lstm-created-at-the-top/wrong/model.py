"""A recurrent language model."""
import haiku as hk
import jax.numpy as jnp

VOCABULARY = 15


class RecurrentModel:
    def __init__(self, width):
        self.core = hk.LSTM(width)  # mistake
        self.width = width

    def forward(self, tokens):
        x = hk.Embed(VOCABULARY, self.width)(tokens)
        hidden, _ = hk.dynamic_unroll(self.core, x, self.core.initial_state(None))
        return hk.Linear(VOCABULARY)(hidden)
