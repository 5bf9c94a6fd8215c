import jax
import jax.numpy as jnp


def split_microbatches(batch, num_micro):
    return jax.tree.map(lambda x: x.reshape((num_micro, -1) + x.shape[1:]), batch)


def accumulate_gradients(loss_fn, params, batch, num_micro):
    """Mean loss and gradient of `batch`, computed over `num_micro` slices."""
    grad_fn = jax.value_and_grad(loss_fn)

    def body(carry, micro):
        total_loss, total_grads = carry
        loss, grads = grad_fn(params, micro)
        return (total_loss + loss, jax.tree.map(jnp.add, total_grads, grads)), None

    zeros = jax.tree.map(jnp.zeros_like, params)
    (loss, grads), _ = jax.lax.scan(body, (0.0, zeros), split_microbatches(batch, num_micro))
    return loss / num_micro, jax.tree.map(lambda g: g / num_micro, grads)
