import jax
import numpy as np

from server import SentimentServer

REVIEWS = [
    "great battery and screen", "stopped working after a week", "okay for the price",
    "would buy again", "terrible support", "fast delivery", "the box was damaged",
    "love it", "never again", "exactly as described",
]


def make_params(key, n_buckets, hidden=16):
    k_in, k_out = jax.random.split(key)
    return {
        "w_in": jax.random.normal(k_in, (n_buckets, hidden)) / np.sqrt(n_buckets),
        "w_out": jax.random.normal(k_out, (hidden,)) / np.sqrt(hidden),
    }


def main():
    server = SentimentServer(make_params(jax.random.key(6), 64), batch_size=4, n_buckets=64)
    scores = server(REVIEWS)
    for text, score in zip(REVIEWS, scores):
        print(f"{score:.3f} {text}")


if __name__ == "__main__":
    main()
