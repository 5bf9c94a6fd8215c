import jax.numpy as jnp
import optax
from flax import nnx


def vae_loss(model, x, key, beta):
    logits, mean, logvar = model(x, key)
    recon = optax.sigmoid_binary_cross_entropy(logits, x).sum(axis=-1).mean()
    kl = -0.5 * jnp.sum(1 + logvar - mean**2 - jnp.exp(logvar), axis=-1).mean()
    return recon + beta * kl, {"recon": recon, "kl": kl}


@nnx.jit
def train_step(model, optimizer, x, key, beta):
    grad_fn = nnx.value_and_grad(vae_loss, has_aux=True)
    loss, parts, grads = grad_fn(model, x, key, beta)  # mistake
    optimizer.update(model, grads)
    return loss, parts
