"""Cosine similarity of sets of items with padding."""
import jax
import jax.numpy as jnp

from embedding import embed_items


def similarity(params, items, mask):
    vectors = embed_items(params, items, mask)
    vectors = vectors * mask[:, None]
    pooled = vectors.sum(axis=0) / mask.sum()
    return jnp.dot(pooled, params["query"])


@jax.jit
def gradient(params, items, mask):
    return jax.grad(similarity)(params, items, mask)


if __name__ == "__main__":
    params = {"table": jnp.ones((5, 3)).at[0].set(0.0), "query": jnp.array([1.0, 0.5, -0.5])}
    grads = gradient(params, jnp.array([2, 4, 0, 0]), jnp.array([1.0, 1.0, 0.0, 0.0]))
    print("finite", bool(jnp.isfinite(grads["table"]).all()))
