import jax.numpy as jnp


def hit_rate(recommended, held_out):
    return jnp.mean(jnp.any(recommended == held_out[:, None], axis=1))


def coverage(recommended, num_items):
    shown = jnp.zeros(num_items, bool).at[recommended.ravel()].set(True)
    return jnp.mean(shown)
