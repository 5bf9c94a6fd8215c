"""The state of a game of catch."""
import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class State:
    ball: jax.Array
    paddle: jax.Array
    time: jax.Array
    score: jax.Array


def initial(key):
    ball = jax.random.randint(key, (), 0, 5)
    return State(ball, jnp.array(2), jnp.array(0), jnp.array(0))
