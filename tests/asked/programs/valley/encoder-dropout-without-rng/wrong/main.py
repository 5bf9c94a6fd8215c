from functools import partial

import jax
import numpy as np
import optax
from flax.training.train_state import TrainState

from encoder import EncoderConfig, SequenceClassifier
from steps import eval_step, train_step


def parity_batch(rng, batch, length):
    tokens = rng.integers(0, 10, size=(batch, length))
    labels = (tokens[:, 0] > 4).astype(np.int32)
    return {"tokens": tokens.astype(np.int32), "labels": labels}


def main():
    cfg = EncoderConfig(vocab=10, width=16, heads=2, layers=1, dropout=0.1)
    model = SequenceClassifier(cfg)
    rng = np.random.default_rng(0)
    init_key, dropout_key = jax.random.split(jax.random.key(0))
    batch = parity_batch(rng, 32, 6)
    init = jax.jit(partial(model.init, train=False))
    params = init(init_key, batch["tokens"])["params"]
    state = TrainState.create(
        apply_fn=model.apply, params=params, tx=optax.adam(3e-3)
    )
    for step in range(60):
        step_key = jax.random.fold_in(dropout_key, step)
        state, loss = train_step(state, parity_batch(rng, 32, 6), step_key)
        if step % 20 == 0:
            print(step, float(loss))
    print("accuracy", float(eval_step(state, parity_batch(rng, 256, 6))))


if __name__ == "__main__":
    main()
