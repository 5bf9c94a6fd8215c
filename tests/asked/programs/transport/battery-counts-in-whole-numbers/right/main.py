"""Does the bus come home?"""

import jax
import jax.numpy as jnp
from route import drive


def timetable(key, legs=12):
    k_distance, k_people, k_climb = jax.random.split(key, 3)
    distance = jax.random.uniform(k_distance, (legs,), minval=1.0, maxval=4.0)
    passengers = jax.random.randint(k_people, (legs,), 0, 60)
    climb = 20.0 * jax.random.normal(k_climb, (legs,))
    return distance, passengers, climb


def main():
    legs = timetable(jax.random.key(14))
    for charge in (30, 120):
        bus, charges = drive(charge, legs)
        print("stops", int(bus.stops), "comes home:", bool((charges > 0).all()))
        print("energy adds up:", bool(jnp.abs(bus.charge + bus.used - charge) < 1e-3))


if __name__ == "__main__":
    main()
