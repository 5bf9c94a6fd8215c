from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np


class Trajectory(NamedTuple):
    rewards: jax.Array
    values: jax.Array
    dones: jax.Array


def fake_trajectory(rng: np.random.Generator, horizon: int, num_envs: int):
    shape = (horizon, num_envs)
    rewards = rng.normal(loc=0.2, size=shape).astype(np.float32)
    values = rng.normal(size=shape).astype(np.float32)
    dones = (rng.uniform(size=shape) < 0.05).astype(np.int32)
    traj = Trajectory(jnp.asarray(rewards), jnp.asarray(values), jnp.asarray(dones))
    last_value = jnp.asarray(rng.normal(size=num_envs).astype(np.float32))
    return traj, last_value
