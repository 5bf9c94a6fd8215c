import jax
import jax.numpy as jnp


@jax.jit
def compute_gae(rewards, values, dones, gamma, lam):
    next_values = jnp.append(values[1:], 0.0)
    deltas = rewards + gamma * next_values * (1.0 - dones) - values

    def body(acc, inp):
        delta, done = inp
        acc = delta + gamma * lam * (1.0 - done) * acc
        return acc, acc

    _, adv = jax.lax.scan(body, jnp.zeros(()), (deltas, dones), reverse=True)
    return adv, adv + values
