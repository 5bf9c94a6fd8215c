import jax
import jax.numpy as jnp


@jax.jit
def gae(rewards, values, dones, gamma, lam):
    next_values = jnp.concatenate([values[1:], jnp.zeros_like(values[:1])])
    not_done = 1.0 - dones
    deltas = rewards + gamma * not_done * next_values - values

    def accumulate(advantage, inputs):
        delta, alive = inputs
        advantage = delta + gamma * lam * alive * advantage
        return advantage, advantage

    start = jnp.zeros_like(values[0])
    _, advantages = jax.lax.scan(accumulate, start, (deltas, not_done), reverse=True)
    return advantages
