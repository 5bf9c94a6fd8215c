import jax
import jax.numpy as jnp
import numpy as np


def dcg(relevance, k):
    discounts = 1.0 / jnp.log2(jnp.arange(2, k + 2))
    return jnp.sum((2.0 ** relevance[:k] - 1.0) * discounts)


def ndcg(scores, relevance, k=10):
    order = jnp.argsort(-scores)
    ideal = np.sort(relevance)[::-1]  # mistake
    return dcg(relevance[order], k) / jnp.maximum(dcg(ideal, k), 1e-6)


@jax.jit
def mean_ndcg(score_matrix, relevance_matrix):
    return jnp.mean(jax.vmap(ndcg)(score_matrix, relevance_matrix))


def click_labels(n_queries, n_docs, seed):
    rng = np.random.default_rng(seed)
    return rng.choice([0.0, 1.0, 2.0], p=[0.8, 0.15, 0.05], size=(n_queries, n_docs)).astype(np.float32)
