import jax
import jax.numpy as jnp
import optax


def cross_entropy(logits, labels):
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@jax.jit
def train_step(state, batch, key):
    def loss_fn(params):
        logits = state.apply_fn(
            {"params": params}, batch["tokens"], train=True, rngs={"dropout": key}
        )
        return cross_entropy(logits, batch["labels"])

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


@jax.jit
def eval_step(state, batch):
    logits = state.apply_fn({"params": state.params}, batch["tokens"], train=False)
    return jnp.mean(logits.argmax(-1) == batch["labels"])
