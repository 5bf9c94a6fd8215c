import jax
import jax.numpy as jnp

from gridworld import GridWorld
from qlearning import QLearner


def train(env, learner, key, n_episodes):
    q = learner.init(env.n_states, env.n_actions)
    lengths = []
    for k in jax.random.split(key, n_episodes):
        q, steps = learner.episode(q, k)
        lengths.append(steps)
    return q, jnp.stack(lengths)


if __name__ == "__main__":
    env = GridWorld(size=5)
    learner = QLearner(env, alpha=0.5, gamma=0.95, epsilon=0.2, max_steps=60)
    q, lengths = train(env, learner, jax.random.key(3), n_episodes=80)
    print("first episodes", lengths[:5].tolist())
    print("mean of the last ten", float(lengths[-10:].mean()))
    print("value of the start", round(float(q[0].max()), 3))
