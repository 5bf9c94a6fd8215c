from functools import partial

import jax
import jax.numpy as jnp


class QAgent:
    def __init__(self, n_states, n_actions, lr=0.2, gamma=0.95):
        self.n_states, self.n_actions = n_states, n_actions
        self.lr = lr
        self.gamma = gamma

    def init_table(self):
        return jnp.zeros((self.n_states, self.n_actions))

    @partial(jax.jit, static_argnames=("self", "epsilon"))
    def act(self, table, state, key, epsilon):
        k_explore, k_action = jax.random.split(key)
        random_action = jax.random.randint(k_action, (), 0, self.n_actions)
        greedy = jnp.argmax(table[state])
        return jnp.where(jax.random.uniform(k_explore) < epsilon, random_action, greedy)

    def learn(self, table, s, a, r, s_next, done):
        target = r + self.gamma * (1.0 - done) * table[s_next].max()
        return table.at[s, a].add(self.lr * (target - table[s, a]))
