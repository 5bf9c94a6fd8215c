import jax
import jax.numpy as jnp


def discriminator_loss(disc, gen, real, z):
    on_real = jax.vmap(disc)(real)
    on_fake = jax.vmap(disc)(jax.vmap(gen)(z))
    log_real = jnp.log(jax.nn.sigmoid(on_real))  # mistake
    log_fake = jnp.log(1.0 - jax.nn.sigmoid(on_fake))  # mistake
    return -jnp.mean(log_real + log_fake)


def generator_loss(gen, disc, z):
    on_fake = jax.vmap(disc)(jax.vmap(gen)(z))
    return jnp.mean(jax.nn.softplus(-on_fake))
