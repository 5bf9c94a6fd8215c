import numpy as np


class ChainEnv:
    num_actions = 2

    def __init__(self, length: int, limit: int):
        self.length = length
        self.limit = limit
        self.pos = 0
        self.t = 0

    def _obs(self):
        obs = np.zeros(self.length, np.float32)
        obs[self.pos] = 1.0
        return obs

    def reset(self):
        self.pos, self.t = 0, 0
        return self._obs()

    def step(self, action: int):
        move = 1 if action == 1 else -1
        self.pos = int(np.clip(self.pos + move, 0, self.length - 1))
        self.t += 1
        goal = self.pos == self.length - 1
        return self._obs(), float(goal), goal or self.t >= self.limit
