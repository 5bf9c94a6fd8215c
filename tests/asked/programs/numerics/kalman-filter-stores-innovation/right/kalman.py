from typing import NamedTuple

import jax
import jax.numpy as jnp


class Gaussian(NamedTuple):
    mean: jax.Array
    cov: jax.Array


class KalmanFilter:
    def __init__(self, system):
        self.system = system

    def predict(self, belief: Gaussian) -> Gaussian:
        F, Q = self.system.F, self.system.Q
        return Gaussian(F @ belief.mean, F @ belief.cov @ F.T + Q)

    def update(self, belief: Gaussian, z):
        H, R = self.system.H, self.system.R
        prior = self.predict(belief)
        innovation = z - H @ prior.mean
        S = H @ prior.cov @ H.T + R
        gain = jnp.linalg.solve(S, H @ prior.cov).T
        cov = (jnp.eye(prior.mean.shape[0]) - gain @ H) @ prior.cov
        return Gaussian(prior.mean + gain @ innovation, cov), innovation, S
