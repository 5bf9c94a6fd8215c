import jax
import jax.numpy as jnp


def masked_policy(logits, legal):
    """Softmax over the legal actions, exactly zero elsewhere."""
    return jax.nn.softmax(jnp.where(legal, logits, -jnp.inf), axis=-1)


def entropy(probs, legal):
    plogp = jnp.where(legal, probs * jnp.log(jnp.where(legal, probs, 1.0)), 0.0)
    return -plogp.sum(axis=-1)


def policy_loss(logits, legal, actions, advantages, entropy_weight):
    probs = masked_policy(logits, legal)
    chosen = jnp.take_along_axis(probs, actions[:, None], axis=1)[:, 0]
    ratio = jnp.log(jnp.maximum(chosen, 1e-8))
    bonus = entropy(probs, legal)
    return -jnp.mean(ratio * advantages) - entropy_weight * jnp.mean(bonus)
