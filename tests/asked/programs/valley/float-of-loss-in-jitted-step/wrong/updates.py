import jax
import jax.numpy as jnp
import optax


def masked_nll(logits, labels, mask):
    nll = optax.softmax_cross_entropy_with_integer_labels(logits, labels)
    return jnp.sum(nll * mask) / jnp.sum(mask)


def make_update(model, tx):
    def loss_fn(params, graph, labels, mask):
        logits = model.apply(params, graph)
        return masked_nll(logits, labels, mask), logits

    @jax.jit
    def update(params, opt_state, graph, labels, mask):
        grad_fn = jax.value_and_grad(loss_fn, has_aux=True)
        (loss, logits), grads = grad_fn(params, graph, labels, mask)
        updates, opt_state = tx.update(grads, opt_state, params)
        params = optax.apply_updates(params, updates)
        hits = jnp.argmax(logits, -1) == labels
        log = {
            "loss": float(loss),  # mistake
            "test_acc": jnp.sum(hits * (1 - mask)) / jnp.sum(1 - mask),
        }
        return params, opt_state, log

    return update
