import jax
import jax.numpy as jnp


def collect_transitions(key, n):
    k_state, k_action = jax.random.split(key)
    states = jax.random.uniform(k_state, (n, 4), minval=-1.0, maxval=1.0)
    actions = jax.random.uniform(k_action, (n, 1), minval=-1.0, maxval=1.0)
    pos, vel = states[:, :2], states[:, 2:]
    force = jnp.concatenate([actions, -actions], axis=1) - 0.5 * pos
    next_states = jnp.concatenate([pos + 0.1 * vel, vel + 0.1 * force], axis=1)
    return states, actions, next_states
