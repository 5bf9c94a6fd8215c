"""Brake a car in front of a wall."""
import jax
import jax.numpy as jnp

WALL = 10.0
STEP = 0.1


def dynamics(state, brake):
    position, speed = state
    speed = jnp.maximum(speed - STEP * brake, 0.0)
    return position + STEP * speed, speed


def policy(gains, state):
    position, speed = state
    return jax.nn.softplus(gains[0] * speed - gains[1] * (WALL - position))


@jax.jit
def drive(gains):
    def step(carry, _):
        state, crashed = carry
        state = dynamics(state, policy(gains, state))
        crashed = jnp.maximum(crashed, (state[0] > WALL).astype(jnp.float32))
        return (state, crashed), state[0]

    start = ((jnp.float32(0.0), jnp.float32(3.0)), jnp.float32(0.0))
    (state, crashed), path = jax.lax.scan(step, start, None, length=80)
    return state[0], crashed, path


def main():
    for gains in ((1.0, 0.1), (0.1, 0.1)):
        position, crashed, _ = drive(jnp.array(gains))
        print(gains, "crashed" if crashed else "stopped", round(float(position), 1))


if __name__ == "__main__":
    main()
