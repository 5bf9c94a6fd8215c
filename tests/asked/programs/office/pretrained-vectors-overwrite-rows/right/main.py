import jax
import jax.numpy as jnp
import numpy as np

from embeddings import init_table, load_pretrained
from vocab import build_vocab, encode

tickets = [
    "refund not received after two weeks",
    "app crashes after the update",
    "cannot log in after password reset",
    "refund amount is wrong",
]


@jax.jit
def sentence_vectors(table, ids):
    mask = (ids > 0)[..., None]
    summed = jnp.sum(table[ids] * mask, axis=1)
    mean = summed / jnp.maximum(mask.sum(axis=1), 1)
    return mean / (jnp.linalg.norm(mean, axis=-1, keepdims=True) + 1e-6)


def main():
    vocab = build_vocab(tickets)
    rng = np.random.default_rng(0)
    pretrained = {w: rng.normal(size=16).astype(np.float32) for w in ("refund", "crashes", "password", "invoice")}
    table = init_table(jax.random.key(4), vocab, 16)
    table, hits = load_pretrained(table, vocab, pretrained)
    vectors = sentence_vectors(table, encode(tickets, vocab, 8))
    print("pretrained rows", hits)
    print(np.round(np.asarray(vectors @ vectors.T), 2))


if __name__ == "__main__":
    main()
