import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState

from networks import Discriminator, Generator


def create_states(key, cfg):
    k_gen, k_disc, k_latent = jax.random.split(key)  # mistake
    generator = Generator((32, 32), cfg["data_dim"])
    discriminator = Discriminator((32, 32))
    latent = jax.random.normal(k_latent, (cfg["batch"], cfg["latent_dim"]))
    gen_params = generator.init(k_gen, latent)["params"]
    disc_params = discriminator.init(k_disc, jnp.zeros((1, cfg["data_dim"])))["params"]
    gen_state = TrainState.create(
        apply_fn=generator.apply, params=gen_params, tx=optax.adam(cfg["lr"], b1=0.5)
    )
    disc_state = TrainState.create(
        apply_fn=discriminator.apply, params=disc_params, tx=optax.adam(cfg["lr"], b1=0.5)
    )
    return gen_state, disc_state, latent
