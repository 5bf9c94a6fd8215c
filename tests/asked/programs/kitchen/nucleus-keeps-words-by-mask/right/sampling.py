import jax
import jax.numpy as jnp


def top_p_sample(key, logits, top_p, temperature):
    logits = logits / temperature
    order = jnp.argsort(-logits)
    sorted_logits = logits[order]
    probs = jax.nn.softmax(sorted_logits)
    in_nucleus = jnp.cumsum(probs) - probs < top_p
    sorted_logits = jnp.where(in_nucleus, sorted_logits, -jnp.inf)
    return order[jax.random.categorical(key, sorted_logits)]
