"""An actor and a critic on one encoder."""
import jax
import jax.numpy as jnp


def init(key):
    k_encoder, k_actor, k_critic = jax.random.split(key, 3)
    encoder = 0.3 * jax.random.normal(k_encoder, (6, 6))
    actor = {"encoder": encoder, "head": jax.random.normal(k_actor, (6, 2))}
    critic = {"encoder": encoder, "head": jax.random.normal(k_critic, (6,))}
    return actor, critic
