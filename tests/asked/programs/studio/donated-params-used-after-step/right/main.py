import jax
import numpy as np

from step import init, train_step, tx

VOCAB, DIM, NEGATIVES = 60, 16, 4


def corpus_batch(rng, size):
    center = rng.integers(0, VOCAB, size=size)
    positive = (center + rng.integers(-2, 3, size=size)) % VOCAB
    negative = rng.integers(0, VOCAB, size=(size, NEGATIVES))
    return center, positive, negative


def nearest(params, word, k=3):
    vec = np.asarray(params["center"])
    unit = vec / np.linalg.norm(vec, axis=1, keepdims=True)
    return [int(i) for i in np.argsort(-unit @ unit[word])[1:k + 1]]


def main():
    rng = np.random.default_rng(0)
    params = init(jax.random.key(0), VOCAB, DIM)
    opt_state = tx.init(params)
    for step in range(301):
        center, positive, negative = corpus_batch(rng, 256)
        params, opt_state, loss, size = train_step(
            params, opt_state, center, positive, negative
        )
        if step % 100 == 0:
            print(f"step {step} loss {loss:.3f} update {size:.4f}")
    print("neighbours of 10:", nearest(params, 10))


if __name__ == "__main__":
    main()
