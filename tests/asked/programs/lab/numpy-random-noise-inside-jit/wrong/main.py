import jax
import numpy as np

from actor import explore, init_actor


class PointMass:
    def __init__(self, dim=2, dt=0.1):
        self.dim = dim
        self.dt = dt

    def reset(self):
        self.pos = np.ones(self.dim, np.float32)
        self.vel = np.zeros(self.dim, np.float32)
        return self.observe()

    def observe(self):
        return np.concatenate([self.pos, self.vel])

    def step(self, action):
        self.vel = 0.9 * self.vel + self.dt * action
        self.pos = self.pos + self.dt * self.vel
        return self.observe(), -float((self.pos**2).sum())


def run_episode(env, params, sigma, length=40):
    obs, total, actions = env.reset(), 0.0, []
    for _ in range(length):
        action = np.asarray(explore(params, obs, sigma))
        obs, reward = env.step(action)
        total += reward
        actions.append(action)
    return total, np.stack(actions)


def main():
    env = PointMass()
    params = init_actor(jax.random.key(0), 4, env.dim)
    returns = []
    for _ in range(5):
        total, actions = run_episode(env, params, sigma=0.3)
        returns.append(total)
    jitter = np.diff(actions, axis=0).std()
    print("returns", np.round(returns, 3))
    print("spread of returns", round(float(np.std(returns)), 4))
    print("action jitter", round(float(jitter), 4))


if __name__ == "__main__":
    main()
