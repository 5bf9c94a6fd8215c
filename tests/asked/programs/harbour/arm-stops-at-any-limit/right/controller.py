from dataclasses import dataclass

import jax.numpy as jnp

from limits import JointLimits, outside, saturate


@dataclass(frozen=True)
class PDController:
    kp: float = 18.0
    kd: float = 4.0
    brake: float = 6.0

    def torque(self, limits: JointLimits, angles, velocities, target):
        tracking = self.kp * (target - angles) - self.kd * velocities
        braking = -self.brake * velocities
        stop = jnp.any(outside(limits, angles))
        return saturate(limits, jnp.where(stop, braking, tracking))
