import numpy as np


class RandomWalk:
    """Chain of states with a reward at the right end."""

    def __init__(self, n_states, seed):
        self.n = n_states
        self.rng = np.random.default_rng(seed)

    def features(self, states):
        return np.eye(self.n, dtype=np.float32)[states]

    def transitions(self, batch):
        s = self.rng.integers(0, self.n, size=batch)
        nxt = s + self.rng.choice([-1, 1], size=batch)
        done = (nxt < 0) | (nxt >= self.n)
        reward = (nxt >= self.n).astype(np.float32)
        nxt = np.clip(nxt, 0, self.n - 1)
        return {
            "obs": self.features(s),
            "next_obs": self.features(nxt),
            "reward": reward,
            "discount": np.where(done, 0.0, 0.99).astype(np.float32),
        }

    def true_values(self, gamma=0.99):
        p = np.zeros((self.n, self.n))
        for i in range(self.n):
            if i > 0:
                p[i, i - 1] = 0.5
            if i < self.n - 1:
                p[i, i + 1] = 0.5
        r = np.zeros(self.n)
        r[-1] = 0.5
        return np.linalg.solve(np.eye(self.n) - gamma * p, r)
