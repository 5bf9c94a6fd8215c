import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class BallState:
    position: jax.Array
    velocity: jax.Array
    steps: jax.Array


class BallInBox:
    """Push a ball in a box; the episode ends when it touches a wall."""

    def __init__(self, dt: float = 0.2, max_steps: int = 12):
        self.dt = dt
        self.max_steps = max_steps

    def reset(self, key):
        velocity = 0.5 * jax.random.normal(key, (2,))
        return BallState(position=jnp.array([0, 0]), velocity=velocity, steps=0)  # mistake

    def step(self, state, force):
        velocity = state.velocity + self.dt * force
        position = state.position + self.dt * velocity
        return state.replace(position=position, velocity=velocity, steps=state.steps + 1)

    def is_done(self, state):
        outside = jnp.any(jnp.abs(state.position) > 1.0)
        return outside | (state.steps >= self.max_steps)


class AutoReset:
    def __init__(self, env):
        self.env = env

    def step(self, key, state, force):
        state = self.env.step(state, force)
        done = self.env.is_done(state)
        state = jax.lax.cond(done, self.env.reset, lambda _: state, key)  # mistake
        return state, done
