from functools import partial

import jax
import jax.numpy as jnp
import optax

tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(5e-3))


def init(key, vocab, dim):
    in_key, out_key = jax.random.split(key)
    return {
        "center": 0.1 * jax.random.normal(in_key, (vocab, dim)),
        "context": 0.1 * jax.random.normal(out_key, (vocab, dim)),
    }


def sgns_loss(params, center, positive, negative):
    c = params["center"][center]
    pos = jnp.einsum("bd,bd->b", c, params["context"][positive])
    neg = jnp.einsum("bd,bkd->bk", c, params["context"][negative])
    return -(jax.nn.log_sigmoid(pos) + jax.nn.log_sigmoid(-neg).sum(-1)).mean()


@partial(jax.jit, donate_argnums=(0, 1))
def train_step(params, opt_state, center, positive, negative):
    loss, grads = jax.value_and_grad(sgns_loss)(params, center, positive, negative)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), opt_state, loss, optax.global_norm(updates)
