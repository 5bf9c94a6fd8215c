import numpy as np

MAX_STEPS = 30


class Episode:
    def __init__(self):
        self.obs, self.actions, self.rewards = [], [], []

    def append(self, obs, action, reward):
        self.obs.append(obs)
        self.actions.append(action)
        self.rewards.append(reward)

    def stack(self):
        pad = MAX_STEPS - len(self.rewards)
        return (
            np.pad(np.asarray(self.obs, np.float32), ((0, pad), (0, 0))),
            np.pad(np.asarray(self.actions, np.int32), (0, pad)),
            np.pad(np.asarray(self.rewards, np.float32), (0, pad)),
            np.pad(np.ones(len(self.rewards), np.float32), (0, pad)),
        )


def play(rng, weights, max_steps=MAX_STEPS):
    """The pole falls over after a random time that grows with good actions."""
    episode, tilt = Episode(), rng.normal() * 0.1
    while abs(tilt) < 1.0 and len(episode.rewards) < max_steps:
        obs = np.array([tilt, tilt**2, 1.0])
        logit = obs @ weights
        action = int(rng.random() < 1.0 / (1.0 + np.exp(-logit)))
        tilt = 1.15 * tilt + 0.2 * (2 * action - 1) + 0.3 * rng.normal()
        episode.append(obs, action, 1.0)
    return episode
