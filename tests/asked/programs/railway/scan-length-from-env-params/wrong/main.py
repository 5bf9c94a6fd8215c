import jax
import jax.numpy as jnp

from mountain import EnvParams, MountainCar
from rollout import evaluate


def energy_policy(theta, obs):
    return jnp.tanh(theta[0] * obs[1] * 100.0 + theta[1] * obs[0])


if __name__ == "__main__":
    env = MountainCar()
    params = EnvParams(force=0.0015, gravity=0.0025, max_steps_in_episode=200)
    candidates = jnp.array([[1.0, 0.0], [0.5, 0.2], [-1.0, 0.0]])
    keys = jax.random.split(jax.random.key(8), candidates.shape[0])
    returns = evaluate(env, energy_policy, candidates, keys, params)
    for theta, value in zip(candidates.tolist(), returns.tolist()):
        print(theta, round(value, 3))
