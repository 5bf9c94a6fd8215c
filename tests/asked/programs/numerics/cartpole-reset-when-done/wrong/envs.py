from typing import NamedTuple

import jax
import jax.numpy as jnp


class EnvParams(NamedTuple):
    gravity: float = 9.8
    masscart: float = 1.0
    masspole: float = 0.1
    length: float = 0.5
    force_mag: float = 10.0
    tau: float = 0.02
    x_limit: float = 2.4
    theta_limit: float = 0.2095


class CartPole:
    def __init__(self, params: EnvParams):
        self.params = params

    def reset(self, key):
        return jax.random.uniform(key, (4,), minval=-0.05, maxval=0.05)

    def _dynamics(self, state, action):
        p = self.params
        x, x_dot, theta, theta_dot = state
        force = p.force_mag * (2.0 * action - 1.0)
        total_mass = p.masscart + p.masspole
        pml = p.masspole * p.length
        temp = (force + pml * theta_dot**2 * jnp.sin(theta)) / total_mass
        denom = p.length * (4.0 / 3.0 - p.masspole * jnp.cos(theta) ** 2 / total_mass)
        theta_acc = (p.gravity * jnp.sin(theta) - jnp.cos(theta) * temp) / denom
        x_acc = temp - pml * theta_acc * jnp.cos(theta) / total_mass
        deriv = jnp.stack([x_dot, x_acc, theta_dot, theta_acc])
        return state + p.tau * deriv

    def step(self, key, state, action):
        next_state = self._dynamics(state, action)
        done = (jnp.abs(next_state[0]) > self.params.x_limit) | (
            jnp.abs(next_state[2]) > self.params.theta_limit
        )
        reward = 1.0 - done.astype(jnp.float32)
        if done:  # mistake
            next_state = self.reset(key)
        return next_state, reward, done
