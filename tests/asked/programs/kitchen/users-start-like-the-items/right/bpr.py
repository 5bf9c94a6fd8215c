import jax
import jax.numpy as jnp
import optax

from factors import score


def bpr_loss(factors, users, liked, other, reg):
    pair = jax.vmap(score, in_axes=(None, 0, 0))
    margin = pair(factors, users, liked) - pair(factors, users, other)
    penalty = sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(factors))
    return -jnp.mean(jax.nn.log_sigmoid(margin)) + reg * penalty


def make_update(optimizer, reg):
    @jax.jit
    def update(factors, opt_state, users, liked, other):
        loss, grads = jax.value_and_grad(bpr_loss)(factors, users, liked, other, reg)
        updates, opt_state = optimizer.update(grads, opt_state)
        return optax.apply_updates(factors, updates), opt_state, loss

    return update
