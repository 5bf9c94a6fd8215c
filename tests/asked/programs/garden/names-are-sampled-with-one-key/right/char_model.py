import haiku as hk
import jax.numpy as jnp

VOCAB = 26
HIDDEN = 32


class CharCore(hk.Module):
    def __init__(self, name="char_core"):
        super().__init__(name=name)
        self.embed = hk.Embed(VOCAB, 16)
        self.cell = hk.GRU(HIDDEN)
        self.head = hk.Linear(VOCAB)

    def __call__(self, tokens, state):
        hidden, state = self.cell(self.embed(tokens), state)
        return self.head(hidden), state


def sequence_logits(tokens):
    core = CharCore()
    state = jnp.zeros((tokens.shape[0], HIDDEN))
    logits, _ = hk.dynamic_unroll(core, tokens, state, time_major=False)
    return logits


def cell_step(token, state):
    return CharCore()(token, state)
