from functools import partial

import jax
import jax.numpy as jnp


@jax.jit
def cosine_similarity(interactions):
    norms = jnp.linalg.norm(interactions, axis=0, keepdims=True)
    columns = interactions / jnp.maximum(norms, 1e-6)
    similarity = columns.T @ columns
    return jnp.fill_diagonal(similarity, 0.0, inplace=False)


@partial(jax.jit, static_argnames="k")
def recommend(interactions, similarity, k):
    scores = interactions @ similarity
    scores = jnp.where(interactions > 0, -jnp.inf, scores)
    _, items = jax.lax.top_k(scores, k)
    return items
