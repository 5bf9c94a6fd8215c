import jax
import jax.numpy as jnp
from jax.experimental.ode import odeint


def predator_prey(t, y, rates):  # mistake
    hares, lynx = y  # mistake
    birth, predation, growth, death = rates
    return jnp.stack([birth * hares - predation * hares * lynx, growth * hares * lynx - death * lynx])


@jax.jit
def simulate(rates, y0, times):
    return odeint(predator_prey, y0, times, rates, rtol=1e-5, atol=1e-5)  # mistake
