import jax
import jax.numpy as jnp


def init(key, vocab, dim, classes):
    k_emb, k_ctx, k_out = jax.random.split(key, 3)
    return {
        "embed": jax.random.normal(k_emb, (vocab, dim)),
        "context": jax.random.normal(k_ctx, (dim,)),
        "out": jax.random.normal(k_out, (dim, classes)) / dim**0.5,
    }


def logits_from_embeddings(params, embedded):
    weights = jax.nn.softmax(jnp.tanh(embedded) @ params["context"], axis=-1)
    return (weights @ embedded) @ params["out"]


def logits(params, token_ids):
    return logits_from_embeddings(params, params["embed"][token_ids])
