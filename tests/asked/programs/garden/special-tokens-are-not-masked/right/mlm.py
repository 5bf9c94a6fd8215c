import jax
import jax.numpy as jnp
import optax


def init_params(key, vocab, width):
    k1, k2, k3 = jax.random.split(key, 3)
    return {
        "embed": 0.3 * jax.random.normal(k1, (vocab, width)),
        "mix": 0.2 * jax.random.normal(k2, (3 * width, width)),
        "out": 0.2 * jax.random.normal(k3, (width, vocab)),
    }


def logits_fn(params, tokens):
    x = params["embed"][tokens]
    context = jnp.concatenate([jnp.roll(x, 1, axis=1), x, jnp.roll(x, -1, axis=1)], axis=-1)
    return jax.nn.gelu(context @ params["mix"]) @ params["out"]


def masked_loss(params, inputs, targets, selected):
    losses = optax.softmax_cross_entropy_with_integer_labels(
        logits_fn(params, inputs), targets
    )
    return jnp.sum(losses * selected) / jnp.maximum(selected.sum(), 1)
