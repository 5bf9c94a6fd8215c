from dataclasses import dataclass

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class PIDGains:
    kp: float = 8.0
    ki: float = 0.5
    kd: float = 2.0


class PIDController:
    def __init__(self, gains: PIDGains, limit: float):
        self.gains = gains
        self.limit = limit

    def command(self, error, integral, rate):
        g = self.gains
        raw = g.kp * error + g.ki * integral + g.kd * rate
        return jnp.clip(raw, -self.limit, self.limit)

    def with_deadband(self, error, integral, rate, width=0.01):
        def active(args):
            return self.command(*args)

        def idle(args):
            return jnp.zeros(args[0].shape, dtype=int)

        inside = jnp.all(jnp.abs(error) < width)
        return jax.lax.cond(inside, idle, active, (error, integral, rate))  # mistake
