import functools

import jax
import numpy as np
import optax
from flax.training.train_state import TrainState

from lm import GRULanguageModel, next_token_loss


def padded_corpus(n, max_len, vocab, seed=0):
    rng = np.random.default_rng(seed)
    out = np.zeros((n, max_len), np.int32)
    for row in out:
        length = rng.integers(5, max_len + 1)
        start = rng.integers(1, vocab)
        row[:length] = (start + np.arange(length)) % (vocab - 1) + 1
    return out


@functools.partial(jax.jit, donate_argnums=0)
def train_step(state: TrainState, tokens):
    def objective(params):
        logits = state.apply_fn({"params": params}, tokens)
        return next_token_loss(logits, tokens)

    loss, grads = jax.value_and_grad(objective)(state.params)
    return state.apply_gradients(grads=grads), loss


def main():
    corpus = padded_corpus(128, 12, vocab=20)
    model = GRULanguageModel(vocab=20, hidden=24)
    params = jax.jit(model.init)(jax.random.key(1), corpus[:2])["params"]
    state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-2))
    order = np.random.default_rng(2)
    for epoch in range(5):
        losses = []
        for idx in order.permutation(len(corpus)).reshape(4, 32):
            state, loss = train_step(state, corpus[idx])
            losses.append(loss)
        mean_loss = float(np.mean(jax.device_get(losses)))
        print(f"epoch {epoch} perplexity {np.exp(mean_loss):.2f}")


if __name__ == "__main__":
    main()
