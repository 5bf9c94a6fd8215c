import jax
import numpy as np

from vec_env import VecGridWorld, collect


def main():
    env = VecGridWorld(n_envs=32)
    reset_key, rollout_key = jax.random.split(jax.random.key(0))
    states = env.reset(reset_key)
    starts = np.concatenate([np.asarray(states.agent), np.asarray(states.goal)], axis=1)
    print("different starts", len(np.unique(starts, axis=0)), "of", env.n_envs)
    states, rewards = collect(env, states, rollout_key, length=30)
    print("success rate", float((rewards.sum(axis=0) > 0).mean()))


if __name__ == "__main__":
    main()
