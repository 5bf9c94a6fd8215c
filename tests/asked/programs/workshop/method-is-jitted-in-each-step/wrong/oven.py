"""An oven with a proportional-integral controller."""

import jax.numpy as jnp
from jax import lax


class Oven:
    def __init__(self, target, loss):
        self.target = target
        self.loss = loss

    def cost(self, gains):
        """Mean deviation from the target in an hour."""

        def minute(state, _):
            temperature, total = state
            error = self.target - temperature
            power = jnp.clip(gains[0] * error + gains[1] * total, 0.0, 20.0)
            temperature = temperature + power - self.loss * (temperature - 20.0)
            return (temperature, total + error), jnp.abs(error)

        _, errors = lax.scan(minute, (jnp.float32(20.0), jnp.float32(0.0)), None, length=60)
        return jnp.mean(errors)
