import equinox as eqx
import jax
import jax.numpy as jnp


class MemoryAgent(eqx.Module):
    """GRU policy for the T-maze."""

    cell: eqx.nn.GRUCell
    head: eqx.nn.Linear
    hidden: jax.Array
    epsilon: float = eqx.field(static=True)

    def __init__(self, obs_dim, num_actions, hidden_dim, *, key, epsilon=0.1):
        k_cell, k_head = jax.random.split(key)
        self.cell = eqx.nn.GRUCell(obs_dim, hidden_dim, key=k_cell)
        self.head = eqx.nn.Linear(hidden_dim, num_actions, key=k_head)
        self.hidden = jnp.zeros(hidden_dim)
        self.epsilon = epsilon

    def __call__(self, obs, key):
        self.hidden = self.cell(obs, self.hidden)  # mistake
        k_explore, k_action = jax.random.split(key)
        logits = self.head(self.hidden)
        random_action = jax.random.randint(k_action, (), 0, logits.shape[0])
        explore = jax.random.bernoulli(k_explore, self.epsilon)
        return jnp.where(explore, random_action, jnp.argmax(logits))
