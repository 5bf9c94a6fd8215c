import jax
import numpy as np

from config import TrainConfig
from training import create_state, train_step


def make_corpus(vocab_size: int, length: int) -> np.ndarray:
    rng = np.random.default_rng(3)
    steps = rng.integers(1, 3, size=length)
    return (np.cumsum(steps) % vocab_size).astype(np.int32)


def sample_batch(rng, corpus, cfg):
    starts = rng.integers(0, len(corpus) - cfg.seq_len - 1, size=cfg.batch_size)
    idx = starts[:, None] + np.arange(cfg.seq_len + 1)[None]
    return corpus[idx]


def main():
    cfg = TrainConfig()
    corpus = make_corpus(cfg.vocab_size, 4000)
    rng = np.random.default_rng(0)
    init_key, dropout_key = jax.random.split(jax.random.key(cfg.seed))
    state = create_state(init_key, cfg)
    for step in range(cfg.num_steps):
        batch = sample_batch(rng, corpus, cfg)
        state, loss = train_step(state, batch, dropout_key)
        if step % 10 == 0:
            print(f"step {step} loss {float(loss):.3f}")


if __name__ == "__main__":
    main()
