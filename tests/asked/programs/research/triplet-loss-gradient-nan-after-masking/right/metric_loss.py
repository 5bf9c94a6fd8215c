import jax.numpy as jnp


def pairwise_distance(embeddings):
    diff = embeddings[:, None, :] - embeddings[None, :, :]
    squared = jnp.sum(diff**2, axis=-1)
    positive = squared > 0.0
    return jnp.where(positive, jnp.sqrt(jnp.where(positive, squared, 1.0)), 0.0)


def batch_hard_triplet_loss(embeddings, labels, margin: float = 0.5):
    dist = pairwise_distance(embeddings)
    same = labels[:, None] == labels[None, :]
    hardest_positive = jnp.max(jnp.where(same, dist, 0.0), axis=1)
    hardest_negative = jnp.min(jnp.where(same, jnp.inf, dist), axis=1)
    return jnp.mean(jnp.maximum(hardest_positive - hardest_negative + margin, 0.0))
