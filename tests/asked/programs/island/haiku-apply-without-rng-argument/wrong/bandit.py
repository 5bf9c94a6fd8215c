import numpy as np


class ContextualBandit:
    def __init__(self, num_contexts, num_arms, seed=0):
        self.rng = np.random.default_rng(seed)
        self.num_contexts = num_contexts
        self.num_arms = num_arms
        self.means = self.rng.uniform(size=(num_contexts, num_arms))

    def observe(self, batch_size):
        ids = self.rng.integers(0, self.num_contexts, size=batch_size)
        return np.eye(self.num_contexts, dtype=np.float32)[ids]

    def reward(self, obs, actions):
        mean = self.means[obs.argmax(axis=1), actions]
        return (mean + 0.1 * self.rng.normal(size=mean.shape)).astype(np.float32)
