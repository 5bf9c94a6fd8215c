import jax
import jax.numpy as jnp


def discriminator_loss(disc, gen, real, z):
    on_real = jax.vmap(disc)(real)
    on_fake = jax.vmap(disc)(jax.vmap(gen)(z))
    log_real = jax.nn.log_sigmoid(on_real)
    log_fake = jax.nn.log_sigmoid(-on_fake)
    return -jnp.mean(log_real + log_fake)


def generator_loss(gen, disc, z):
    on_fake = jax.vmap(disc)(jax.vmap(gen)(z))
    return jnp.mean(jax.nn.softplus(-on_fake))
