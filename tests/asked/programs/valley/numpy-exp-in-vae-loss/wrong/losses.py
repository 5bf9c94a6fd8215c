import jax.numpy as jnp
import numpy as np
import optax


def kl_to_standard_normal(mu, logvar):
    return 0.5 * jnp.sum(np.exp(logvar) + mu**2 - 1.0 - logvar, axis=-1)  # mistake


def elbo_loss(out, x, beta):
    logits, mu, logvar = out
    recon = jnp.sum(optax.sigmoid_binary_cross_entropy(logits, x), axis=-1)
    kl = kl_to_standard_normal(mu, logvar)
    loss = jnp.mean(recon + beta * kl)
    return loss, {"recon": recon.mean(), "kl": kl.mean()}
