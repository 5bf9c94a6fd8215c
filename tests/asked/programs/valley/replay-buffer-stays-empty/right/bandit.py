import jax
import jax.numpy as jnp
import numpy as np


class BanditEnv:
    def __init__(self, dim: int, num_actions: int, seed: int = 0):
        self.dim = dim
        self.num_actions = num_actions
        rng = np.random.default_rng(seed)
        self.weights = jnp.asarray(rng.normal(size=(num_actions, dim)), jnp.float32)

    def context(self, key):
        return jax.random.normal(key, (self.dim,))

    def pull(self, key, context, action):
        mean = jnp.dot(self.weights[action], context)
        return mean + 0.1 * jax.random.normal(key)
