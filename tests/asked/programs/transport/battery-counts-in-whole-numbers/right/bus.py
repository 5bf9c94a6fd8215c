"""An electric bus on its route."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Bus(NamedTuple):
    charge: jax.Array  # kWh
    stops: jax.Array
    used: jax.Array


def at_depot(charge):
    return Bus(charge=jnp.asarray(charge, jnp.float32), stops=jnp.zeros((), int), used=jnp.zeros(()))


def consumption(distance, passengers, climb):
    return 0.9 * distance + 0.004 * passengers * distance + 0.03 * jnp.maximum(climb, 0.0)
