import jax
import numpy as np

from agent import DQNAgent
from chain import ChainEnv


def run_episode(env, agent, rng, epsilon, train=True):
    obs, total, done = env.reset(), 0.0, False
    while not done:
        if rng.uniform() < epsilon:
            action = int(rng.integers(env.num_actions))
        else:
            action = agent.act(obs)
        next_obs, reward, done = env.step(action)
        if train:
            agent.learn(obs, action, reward, next_obs, done)
        obs, total = next_obs, total + reward
    return total


def main():
    env = ChainEnv(length=6, limit=20)
    agent = DQNAgent(env.length, env.num_actions, jax.random.PRNGKey(0))
    rng = np.random.default_rng(0)
    for episode in range(40):
        run_episode(env, agent, rng, epsilon=max(0.1, 1.0 - episode / 30))
    scores = [run_episode(env, agent, rng, 0.0, train=False) for _ in range(3)]
    print("greedy return", np.mean(scores))
    print("q at start", np.round(agent.q_values(env.reset()), 3))


if __name__ == "__main__":
    main()
