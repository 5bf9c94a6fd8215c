import jax
import numpy as np

from agent import QAgent


class CliffWalk:
    """Gym-like environment on the host."""

    def __init__(self, width=6, height=4):
        self.width, self.height = width, height

    def reset(self):
        self.pos = (self.height - 1, 0)
        return self._index()

    def _index(self):
        return self.pos[0] * self.width + self.pos[1]

    def step(self, action):
        dr, dc = [(-1, 0), (1, 0), (0, -1), (0, 1)][action]
        row = min(max(self.pos[0] + dr, 0), self.height - 1)
        col = min(max(self.pos[1] + dc, 0), self.width - 1)
        self.pos = (row, col)
        if row == self.height - 1 and 0 < col < self.width - 1:
            return self._index(), -20.0, True
        return self._index(), -1.0, self.pos == (self.height - 1, self.width - 1)


def main(episodes=60, horizon=40):
    env, agent = CliffWalk(), QAgent(24, 4)
    table = agent.init_table()
    learn = jax.jit(agent.learn)
    key = jax.random.key(0)
    returns = []
    for _ in range(episodes):
        state, total = env.reset(), 0.0
        for _ in range(horizon):
            key, sub = jax.random.split(key)
            action = int(agent.act(table, state, sub, epsilon=0.1))  # mistake
            nxt, reward, done = env.step(action)
            table = learn(table, state, action, reward, nxt, float(done))
            state, total = nxt, total + reward
            if done:
                break
        returns.append(total)
    print("first ten %.1f, last ten %.1f" % (np.mean(returns[:10]), np.mean(returns[-10:])))


main()
