import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class EnvParams:
    force: float
    gravity: float
    max_steps_in_episode: int = struct.field(pytree_node=False)


class MountainCar:
    def reset(self, key, params):
        position = jax.random.uniform(key, minval=-0.6, maxval=-0.4)
        return jnp.stack([position, jnp.zeros_like(position)])

    def step(self, obs, action, params):
        position, velocity = obs
        velocity = velocity + params.force * action - params.gravity * jnp.cos(3.0 * position)
        velocity = jnp.clip(velocity, -0.07, 0.07)
        position = jnp.clip(position + velocity, -1.2, 0.6)
        reward = jnp.where(position >= 0.45, 1.0, -0.1 * action**2)
        return jnp.stack([position, velocity]), reward
