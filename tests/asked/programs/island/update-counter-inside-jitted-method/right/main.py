import jax
import numpy as np

from dqn import DQNAgent
from replay import ReplayBuffer


class Corridor:
    """Walk right along ten cells to get the reward."""

    def __init__(self, length: int = 10):
        self.length = length
        self.position = 0

    def observe(self):
        return np.eye(self.length, dtype=np.float32)[self.position]

    def reset(self):
        self.position = 0
        return self.observe()

    def step(self, action: int):
        self.position = min(max(self.position + (1 if action == 1 else -1), 0), self.length - 1)
        done = self.position == self.length - 1
        return self.observe(), float(done), done


def main():
    env = Corridor()
    rng = np.random.default_rng(0)
    agent = DQNAgent(env.length, num_actions=2, sync_every=25, key=jax.random.key(0))
    buffer = ReplayBuffer(2000, env.length)
    obs = env.reset()
    for step in range(1200):
        action = int(rng.integers(2))
        next_obs, reward, done = env.step(action)
        buffer.add(obs, action, reward, next_obs, done)
        obs = env.reset() if done else next_obs
        if step >= 200:
            agent.learn(buffer.sample(rng, 64))
    print("updates", agent.num_updates, "syncs", agent.num_syncs)
    values = agent.q_values(np.eye(env.length, dtype=np.float32)).max(axis=1)
    print("values", np.round(np.asarray(values), 2))


if __name__ == "__main__":
    main()
