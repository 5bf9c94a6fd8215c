import jax
import jax.numpy as jnp

AXIS = "population"


def evaluate_member(objective, state, key):
    noise = jax.random.normal(key, state.mean.shape)
    fitness = objective(state.mean + state.sigma * noise)
    centre = jax.lax.pmean(fitness, AXIS)
    spread = jnp.sqrt(jax.lax.pmean((fitness - centre) ** 2, AXIS)) + 1e-8
    score = (fitness - centre) / spread
    grad = jax.lax.pmean(score * noise, AXIS) / state.sigma
    return grad, fitness
