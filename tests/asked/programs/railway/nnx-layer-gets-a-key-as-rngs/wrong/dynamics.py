import jax.numpy as jnp
from flax import nnx


class DynamicsModel(nnx.Module):
    def __init__(self, state_size, action_size, hidden, rngs):
        self.encode = nnx.Linear(state_size + action_size, hidden, rngs=rngs)  # mistake
        self.decode = nnx.Linear(hidden, state_size, rngs=rngs)

    def __call__(self, state, action):
        h = nnx.tanh(self.encode(jnp.concatenate([state, action], axis=-1)))
        return state + self.decode(h)
