from functools import partial

import jax
import jax.numpy as jnp

from controller import PDController
from limits import default_limits

DT = 0.01
NUM_STEPS = 400


def dynamics(angles, velocities, torque):
    gravity = 1.5 * jnp.sin(angles)
    acceleration = torque - gravity - 0.1 * velocities
    velocities = velocities + DT * acceleration
    return angles + DT * velocities, velocities


@partial(jax.jit, static_argnums=0)
def rollout(controller: PDController, limits, start, target):
    def step(carry, _):
        angles, velocities = carry
        torque = controller.torque(limits, angles, velocities, target)
        angles, velocities = dynamics(angles, velocities, torque)
        return (angles, velocities), jnp.linalg.norm(target - angles)

    (angles, _), errors = jax.lax.scan(step, (start, jnp.zeros_like(start)), None, length=NUM_STEPS)
    return angles, errors


def main():
    limits = default_limits(4)
    target = jnp.array([0.6, -0.4, 1.1, 0.2])
    angles, errors = rollout(PDController(), limits, jnp.zeros(4), target)
    print("final angles", angles)
    print("error at start and end", errors[0], errors[-1])


if __name__ == "__main__":
    main()
