import jax
import jax.numpy as jnp


class ContextualBandit:
    def __init__(self, num_actions):
        self.num_actions = num_actions
        angle = 2 * jnp.pi * jnp.arange(num_actions) / num_actions
        self.directions = jnp.stack([jnp.cos(angle), jnp.sin(angle)], axis=1)

    def observe(self, key, count):
        return jax.random.normal(key, (count, 2))

    def best(self, observations):
        return jnp.argmax(observations @ self.directions.T, axis=-1)

    def reward(self, observations, actions):
        return (actions == self.best(observations)).astype(jnp.float32)
