from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="size")
def sample_batch(key, size):
    k_state, k_action, k_noise = jax.random.split(key, 3)
    state = jax.random.normal(k_state, (size, 3))
    action = jax.random.uniform(k_action, (size, 1), minval=-1.0, maxval=1.0)
    drift = 0.1 * jnp.concatenate([action, -action, action**2], axis=1)
    nxt = 0.9 * state + drift + 0.01 * jax.random.normal(k_noise, state.shape)
    return {"state": state, "action": action, "next": nxt, "reward": -jnp.sum(nxt**2, axis=1)}
