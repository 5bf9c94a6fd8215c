import jax
import jax.numpy as jnp

COMMITMENT = 0.25


def vqvae_loss(model, patches):
    outputs, z, codes = jax.vmap(model)(patches)
    codes_fixed = jax.lax.stop_gradient(codes)
    z_fixed = jax.lax.stop_gradient(z)
    reconstruction = jnp.mean((outputs - patches) ** 2)
    codebook = jnp.mean((codes_fixed - z_fixed) ** 2)  # mistake
    commitment = jnp.mean((z - codes_fixed) ** 2)
    total = reconstruction + codebook + COMMITMENT * commitment
    parts = {
        "reconstruction": reconstruction,
        "codebook": codebook,
        "commitment": commitment,
    }
    return total, parts
