"""Swing up a pendulum with an energy controller."""
import jax
import jax.numpy as jnp

DT = 0.05


def energy(state):
    angle, speed = state
    return 0.5 * speed**2 + jnp.cos(angle) - 1.0


def controller(state, gain=0.8):
    return jnp.clip(-gain * energy(state) * jnp.sign(state[1]), -0.5, 0.5)


def step(state, _):
    angle, speed = state
    torque = controller(state)
    speed = speed + DT * (jnp.sin(angle) + torque)
    state = (angle + DT * speed, speed)
    return state, energy(state)


@jax.jit
def roll_out(state):
    return jax.lax.scan(step, state, 100)  # mistake


if __name__ == "__main__":
    start = (jnp.array(jnp.pi - 0.3), jnp.array(0.1))
    _, energies = roll_out(start)
    print("steps", energies.shape)
    print("gains energy", bool(energies[-1] > energies[0]))
