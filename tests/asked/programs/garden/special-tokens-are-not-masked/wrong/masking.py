import jax
import jax.numpy as jnp

from tokens import SPECIAL

PROTECTED = (SPECIAL["pad"], SPECIAL["cls"], SPECIAL["eos"])


def choose(token, coin, rate):
    if token in PROTECTED:  # mistake
        return jnp.array(False)
    return coin < rate


def corrupt(key, tokens, rate):
    coins = jax.random.uniform(key, tokens.shape)
    selected = jax.vmap(choose, in_axes=(0, 0, None))(tokens, coins, rate)
    return jnp.where(selected, SPECIAL["mask"], tokens), selected


def corrupt_batch(key, tokens, rate):
    keys = jax.random.split(key, tokens.shape[0])
    return jax.vmap(lambda k, t: corrupt(k, t, rate))(keys, tokens)
