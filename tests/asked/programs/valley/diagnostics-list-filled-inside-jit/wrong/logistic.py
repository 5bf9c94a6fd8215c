import jax
import jax.numpy as jnp
import optax


def init_weights(dim):
    return {"w": jnp.zeros(dim), "b": jnp.zeros(())}


def loss_fn(weights, batch, l2):
    x, y = batch
    logits = x @ weights["w"] + weights["b"]
    nll = optax.sigmoid_binary_cross_entropy(logits, y).mean()
    return nll + l2 * jnp.sum(weights["w"] ** 2)


def make_train_step(lr, l2, monitor):
    def train_step(weights, batch):
        loss, grads = jax.value_and_grad(loss_fn)(weights, batch, l2)
        monitor.grad_norms.append(optax.global_norm(grads))  # mistake
        weights = jax.tree.map(lambda w, g: w - lr * g, weights, grads)
        return weights, loss

    return train_step
