from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np


@dataclass
class HierarchicalScores:
    means: np.ndarray
    errors: np.ndarray

    def initial(self):
        return {"mu": jnp.zeros(()), "log_tau": jnp.zeros(()), "z": jnp.zeros(len(self.means))}

    def log_density(self, theta):
        effects = theta["mu"] + jnp.exp(theta["log_tau"]) * theta["z"]
        likelihood = -0.5 * jnp.sum(((self.means - effects) / self.errors) ** 2)
        prior = -0.5 * (theta["mu"] / 10.0) ** 2 - 0.5 * (theta["log_tau"] - 1.0) ** 2
        return likelihood + prior - 0.5 * jnp.sum(theta["z"] ** 2)
