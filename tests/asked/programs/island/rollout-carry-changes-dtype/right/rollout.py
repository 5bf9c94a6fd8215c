from functools import partial

import jax
import jax.numpy as jnp


def run_episode(env, policy, params, key, horizon: int):
    state = env.reset(key)

    def body(carry, _):
        state, alive, total, length = carry
        action = policy(params, state)
        next_state, reward, done = env.step(state, action)
        total = total + jnp.where(alive, reward, 0.0)
        length = length + alive.astype(jnp.int32)
        alive = alive & ~done
        return (next_state, alive, total, length), None

    alive, length = jnp.array(True), jnp.zeros((), jnp.int32)
    carry = (state, alive, jnp.zeros(()), length)
    (_, _, total, length), _ = jax.lax.scan(body, carry, None, length=horizon)
    return total, length


@partial(jax.jit, static_argnames=("env", "policy", "num_episodes", "horizon"))
def evaluate_policy(env, policy, params, key, num_episodes: int, horizon: int):
    keys = jax.random.split(key, num_episodes)
    return jax.vmap(lambda k: run_episode(env, policy, params, k, horizon))(keys)
