import jax
import jax.numpy as jnp


class OrnsteinUhlenbeck:
    def __init__(self, shape, seed=0, theta=0.15, sigma=0.3):
        self.shape = shape
        self.theta = theta
        self.sigma = sigma
        self.key = jax.random.key(seed)
        self.value = jnp.zeros(shape)

    def reset(self):
        self.value = jnp.zeros(self.shape)

    def sample(self):
        self.key, draw_key = jax.random.split(self.key)
        kick = self.sigma * jax.random.normal(draw_key, self.shape)
        self.value = (1.0 - self.theta) * self.value + kick
        return self.value
