import jax
import jax.numpy as jnp

from classifier import logits


def token_saliency(params, token_ids):
    label = jnp.argmax(logits(params, token_ids))

    def score(ids):
        return logits(params, ids)[label]

    grads = jax.grad(score)(token_ids)  # mistake
    return jnp.linalg.norm(grads.reshape(token_ids.shape[0], -1), axis=-1), label
