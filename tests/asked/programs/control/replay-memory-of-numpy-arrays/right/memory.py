"""A replay memory in host memory."""
import jax
import numpy as np


class ReplayMemory:
    def __init__(self, capacity, features):
        self.states = np.zeros((capacity, features), np.float32)
        self.rewards = np.zeros(capacity, np.float32)
        self.used = 0

    def add(self, state, reward):
        self.states[self.used] = state
        self.rewards[self.used] = reward
        self.used += 1

    def sample(self, key, size):
        rows = jax.random.randint(key, (size,), 0, self.used)
        rows = np.asarray(rows)
        return self.states[rows], self.rewards[rows]
