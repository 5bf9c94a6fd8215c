from functools import partial

import jax
import jax.numpy as jnp
from jax import lax

from network import Network


def propensities(network: Network, state):
    powers = state[None, :] ** network.orders
    return network.rates * jnp.prod(powers, axis=1)


@partial(jax.jit, static_argnames="steps")
def simulate(network: Network, start, dt, steps):
    def body(state, _):
        half = state + 0.5 * dt * network.stoichiometry @ propensities(network, state)
        state = state + dt * network.stoichiometry @ propensities(network, half)
        return jnp.maximum(state, 0.0), state

    _, trajectory = lax.scan(body, start, None, length=steps)
    return trajectory
