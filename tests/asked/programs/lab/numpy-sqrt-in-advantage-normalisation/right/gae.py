import jax
import jax.numpy as jnp
import numpy as np


def discounted_returns(rewards: np.ndarray, gamma: float) -> np.ndarray:
    out = np.zeros_like(rewards)
    running = 0.0
    for t in reversed(range(len(rewards))):
        running = rewards[t] + gamma * running
        out[t] = running
    return out


def normalise(adv: jax.Array, eps: float = 1e-8) -> jax.Array:
    centred = adv - adv.mean()
    scale = jnp.sqrt((centred**2).mean() + eps)
    return centred / scale
