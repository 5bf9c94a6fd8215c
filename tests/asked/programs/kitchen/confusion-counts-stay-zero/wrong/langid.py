import jax
import jax.numpy as jnp
import optax


def init_params(key, num_features, num_classes):
    return {
        "w": 0.01 * jax.random.normal(key, (num_features, num_classes)),
        "b": jnp.zeros(num_classes),
    }


def logits_fn(params, features):
    return features @ params["w"] + params["b"]


def loss_fn(params, features, labels):
    losses = optax.softmax_cross_entropy_with_integer_labels(logits_fn(params, features), labels)
    return losses.mean() + 1e-4 * jnp.sum(params["w"] ** 2)


@jax.jit
def predict(params, features):
    return jnp.argmax(logits_fn(params, features), axis=-1)
