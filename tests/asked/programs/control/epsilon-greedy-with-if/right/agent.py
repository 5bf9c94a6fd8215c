"""Tabular Q-learning."""
import jax
import jax.numpy as jnp


def epsilon_greedy(key, q_values, epsilon):
    k_explore, k_action = jax.random.split(key)
    explore = jax.random.uniform(k_explore) < epsilon
    anything = jax.random.randint(k_action, (), 0, q_values.shape[0])
    return jnp.where(explore, anything, jnp.argmax(q_values))


def q_update(table, state, action, reward, following, rate=0.2, discount=0.9):
    target = reward + discount * table[following].max()
    return table.at[state, action].add(rate * (target - table[state, action]))
