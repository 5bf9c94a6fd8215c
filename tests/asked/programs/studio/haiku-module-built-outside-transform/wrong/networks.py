import haiku as hk
import jax
import jax.numpy as jnp


class DuelingQ(hk.Module):
    def __init__(self, n_actions, width=32, name=None):
        super().__init__(name=name)
        self.n_actions = n_actions
        self.width = width

    def __call__(self, obs):
        h = jax.nn.relu(hk.Linear(self.width)(obs))
        value = hk.Linear(1)(jax.nn.relu(hk.Linear(self.width)(h)))
        advantage = hk.Linear(self.n_actions)(jax.nn.relu(hk.Linear(self.width)(h)))
        return value + advantage - advantage.mean(axis=-1, keepdims=True)


def td_error(q, q_next_online, q_next_target, action, reward, discount):
    best = jnp.argmax(q_next_online)
    target = reward + discount * q_next_target[best]
    return jax.lax.stop_gradient(target) - q[action]
