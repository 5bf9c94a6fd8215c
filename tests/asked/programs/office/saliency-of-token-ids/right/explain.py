import jax
import jax.numpy as jnp

from classifier import logits, logits_from_embeddings


def token_saliency(params, token_ids):
    label = jnp.argmax(logits(params, token_ids))

    def score(embedded):
        return logits_from_embeddings(params, embedded)[label]

    grads = jax.grad(score)(params["embed"][token_ids])
    return jnp.linalg.norm(grads, axis=-1), label
