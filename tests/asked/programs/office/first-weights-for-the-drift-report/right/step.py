from functools import partial

import jax
import jax.numpy as jnp
import optax

tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-2))


def logits_fn(params, x):
    h = jax.nn.relu(x @ params["hidden"]["kernel"] + params["hidden"]["bias"])
    return h @ params["out"]["kernel"] + params["out"]["bias"]


def loss_fn(params, x, y):
    return optax.sigmoid_binary_cross_entropy(logits_fn(params, x), y).mean()


@partial(jax.jit, donate_argnums=(0, 1))
def train_step(params, opt_state, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    updates, opt_state = tx.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, loss


def init_params(key, features, hidden):
    k1, k2 = jax.random.split(key)
    return {
        "hidden": {"kernel": 0.3 * jax.random.normal(k1, (features, hidden)), "bias": jnp.zeros(hidden)},
        "out": {"kernel": 0.3 * jax.random.normal(k2, (hidden,)), "bias": jnp.zeros(())},
    }
