import jax
import numpy as np

from learner import CloningLearner, clone_step


def demonstrations(count, seed=0):
    rng = np.random.default_rng(seed)
    observation = rng.normal(size=(count, 6)).astype(np.float32)
    gain = np.random.default_rng(42).normal(scale=0.5, size=(6, 2))
    action = np.tanh(observation @ gain) + 0.05 * rng.normal(size=(count, 2))
    return observation, action.astype(np.float32)


def main():
    observation, action = demonstrations(512)
    learner = CloningLearner(6, 2)
    state = learner.initial_state(jax.random.key(0))
    rng = np.random.default_rng(1)
    for step in range(150):
        rows = rng.integers(0, len(observation), size=64)
        state, metrics = clone_step(state, observation[rows], action[rows])
        if step % 50 == 0:
            print(step, metrics)
    mean, _ = state.apply_fn({"params": state.params}, observation)
    print("mean error", np.abs(np.asarray(mean) - action).mean())


if __name__ == "__main__":
    main()
