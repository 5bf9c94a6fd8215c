import jax.numpy as jnp
import optax


def prototype_loss(apply, params, support, query):
    prototypes = apply(params, support).mean(axis=1)
    z = apply(params, query)
    n_way, n_query, width = z.shape
    distances = ((z[:, :, None] - prototypes) ** 2).sum(axis=-1) / width
    logits = -distances.reshape(n_way * n_query, n_way)
    labels = jnp.repeat(jnp.arange(n_way), n_query)
    loss = optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
    return loss, jnp.mean(logits.argmax(-1) == labels)
