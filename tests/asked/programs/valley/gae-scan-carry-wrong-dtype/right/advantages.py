import jax
import jax.numpy as jnp


def compute_gae(traj, last_value, gamma: float, lam: float):
    """Generalised advantage estimation over the leading time axis."""

    def backward(carry, transition):
        gae, next_value = carry
        reward, value, done = transition
        alive = 1.0 - done
        delta = reward + gamma * next_value * alive - value
        gae = delta + gamma * lam * alive * gae
        return (gae, value), gae

    init = (jnp.zeros_like(last_value), last_value)
    xs = (traj.rewards, traj.values, traj.dones)
    _, advantages = jax.lax.scan(backward, init, xs, reverse=True)
    return advantages
