"""Tabular Q-learning on a windy corridor."""
from functools import partial

import jax
import jax.numpy as jnp

LENGTH = 8


class QAgent:
    def __init__(self, num_states: int, num_actions: int, lr: float = 0.3, gamma: float = 0.95):
        self.num_actions = num_actions
        self.lr = lr
        self.gamma = gamma
        self.epsilon = 1.0
        self.q = jnp.zeros((num_states, num_actions))

    @partial(jax.jit, static_argnums=0)
    def _select(self, q, state, key, epsilon):
        k_explore, k_action = jax.random.split(key)
        random_action = jax.random.randint(k_action, (), 0, self.num_actions)
        explore = jax.random.uniform(k_explore) < epsilon
        return jnp.where(explore, random_action, jnp.argmax(q[state])), explore

    @partial(jax.jit, static_argnums=0)
    def _learn(self, q, state, action, reward, nxt):
        target = reward + self.gamma * q[nxt].max()
        return q.at[state, action].add(self.lr * (target - q[state, action]))

    def select(self, state, key):
        return self._select(self.q, state, key, self.epsilon)

    def learn(self, *transition):
        self.q = self._learn(self.q, *transition)

    def decay_epsilon(self, rate=0.7, minimum=0.02):
        self.epsilon = max(minimum, self.epsilon * rate)


@jax.jit
def env_step(state, action, key):
    wind = jax.random.bernoulli(key, 0.1).astype(jnp.int32)
    nxt = jnp.clip(state + 2 * action - 1 - wind, 0, LENGTH - 1)
    return nxt, jnp.where(nxt == LENGTH - 1, 1.0, -0.01)


def main():
    agent = QAgent(LENGTH, 2)
    key = jax.random.key(0)
    rates = []
    for episode in range(12):
        state, explored = jnp.array(0), 0
        for _ in range(20):
            key, k_act, k_env = jax.random.split(key, 3)
            action, explore = agent.select(state, k_act)
            nxt, reward = env_step(state, action, k_env)
            agent.learn(state, action, reward, nxt)
            state, explored = nxt, explored + int(explore)
        rates.append(explored / 20)
        agent.decay_epsilon()
    print(f"epsilon {agent.epsilon:.3f}")
    print("exploration rate of episodes", rates)


if __name__ == "__main__":
    main()
