import jax
import jax.numpy as jnp
import numpy as np

from actor import Actor, mix
from noise import OrnsteinUhlenbeck

NUM_STEPS = 60


class PointMass:
    def __init__(self):
        self.position = np.zeros(2, np.float32)
        self.velocity = np.zeros(2, np.float32)

    def reset(self):
        self.position[:] = 0.0
        self.velocity[:] = 0.0
        return self.observation()

    def observation(self):
        return np.concatenate([self.position, self.velocity])

    def step(self, action):
        self.velocity = 0.95 * self.velocity + 0.05 * action
        self.position = self.position + 0.1 * self.velocity
        return self.observation(), -float(np.abs(self.position - 1.0).sum())


def main():
    env = PointMass()
    actor = Actor(2)
    params = actor.init(jax.random.key(0), jnp.zeros(4))
    act = jax.jit(actor.apply)
    noise = OrnsteinUhlenbeck((2,), seed=1)

    observation = env.reset()
    noise.reset()
    kicks, total = [], 0.0
    for _ in range(NUM_STEPS):
        before = noise.value
        drawn = noise.sample()  # mistake
        kicks.append(drawn - 0.85 * before)
        action = mix(act(params, observation), drawn)
        observation, reward = env.step(np.asarray(action))
        total += reward
    kicks = jnp.stack(kicks)
    print("return", round(total, 3))
    print("standard deviation of the kicks", jnp.std(kicks, axis=0))
    print("visited", observation[:2])


if __name__ == "__main__":
    main()
