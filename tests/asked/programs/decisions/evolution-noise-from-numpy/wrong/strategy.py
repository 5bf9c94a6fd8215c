import numpy as np

import jax.numpy as jnp


class OpenES:
    """Antithetic evolution strategy with rank shaping."""

    def __init__(self, dim, popsize, sigma=0.2, lr=0.2, seed=0):
        assert popsize % 2 == 0
        self.dim, self.popsize = dim, popsize
        self.sigma, self.lr = sigma, lr
        self.rng = np.random.default_rng(seed)
        ranks = np.arange(popsize) / (popsize - 1) - 0.5
        self.shaping = jnp.asarray(ranks, jnp.float32)

    def initial_mean(self):
        return jnp.asarray(self.rng.uniform(-1.0, 1.0, self.dim), jnp.float32)

    def ask(self, mean):
        half = self.rng.standard_normal((self.popsize // 2, self.dim))  # mistake
        noise = jnp.concatenate([half, -half])
        return mean + self.sigma * noise, noise

    def tell(self, mean, noise, fitness):
        order = jnp.argsort(jnp.argsort(fitness))
        utility = self.shaping[order]
        return mean + self.lr / self.sigma * utility @ noise / self.popsize
