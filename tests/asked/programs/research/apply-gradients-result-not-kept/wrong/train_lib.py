import jax
import jax.numpy as jnp
import optax


def masked_mse(pred, target, mask):
    return jnp.sum(mask * (pred - target) ** 2) / jnp.maximum(mask.sum(), 1.0)


@jax.jit
def train_step(state, batch):
    def loss_fn(params):
        pred = state.apply_fn({"params": params}, batch["history"])
        return masked_mse(pred, batch["future"], batch["mask"])

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    state.apply_gradients(grads=grads)  # mistake
    metrics = {"loss": loss, "grad_norm": optax.global_norm(grads)}
    return state, metrics


@jax.jit
def eval_step(state, batch):
    pred = state.apply_fn({"params": state.params}, batch["history"])
    return masked_mse(pred, batch["future"], batch["mask"])
