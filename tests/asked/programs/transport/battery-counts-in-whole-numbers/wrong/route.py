"""Drive along a route."""

import jax
import jax.numpy as jnp
from bus import at_depot, consumption


def leg(bus, inputs):
    distance, passengers, climb = inputs
    needed = consumption(distance, passengers, climb)
    recovered = 0.01 * jnp.maximum(-climb, 0.0)
    bus = bus._replace(
        charge=bus.charge - needed + recovered,
        stops=bus.stops + 1,
        used=bus.used + needed - recovered,
    )
    return bus, bus.charge


@jax.jit
def drive(charge, legs):
    return jax.lax.scan(leg, at_depot(charge), legs)  # mistake
