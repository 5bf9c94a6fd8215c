from dataclasses import dataclass

from limits import JointLimits, outside, saturate


@dataclass(frozen=True)
class PDController:
    kp: float = 18.0
    kd: float = 4.0
    brake: float = 6.0

    def torque(self, limits: JointLimits, angles, velocities, target):
        tracking = self.kp * (target - angles) - self.kd * velocities
        braking = -self.brake * velocities
        if any(outside(limits, angles)):  # mistake
            return saturate(limits, braking)
        return saturate(limits, tracking)
