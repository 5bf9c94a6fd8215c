import time

import jax
import numpy as np

import moderation

WORDS = "you are the best worst idiot hello thanks again never please stop that nonsense".split()


def chat_log(n, seed=0):
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, rng.integers(1, 25))) for _ in range(n)]


def main():
    params = moderation.init(jax.random.key(0), vocab=64, dim=32, layers=1)
    start = time.perf_counter()
    scores = [moderation.toxicity(params, moderation.tokenize(m, 64)) for m in chat_log(50)]  # mistake
    scores = np.asarray(jax.device_get(scores))
    seconds = time.perf_counter() - start
    print(f"flagged {np.mean(scores > 0.5):.2f}, programs {moderation.toxicity._cache_size()}")
    print(f"{1e3 * seconds / len(scores):.1f} ms per message")


if __name__ == "__main__":
    main()
